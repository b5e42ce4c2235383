/* attributes.c - whether files can have attributes at all. */
#include "worktrees/git/attributes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "worktrees/git/cleanup.h"
#include "worktrees/git/repo.h"

void attributes_files(git_repository *git, struct strv *paths)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	strv_addf(paths, "%sinfo/attributes", git_repository_commondir(git));
	if (xdg && *xdg)
		strv_addf(paths, "%s/git/attributes", xdg);
	else
		strv_addf(paths, "%s/.config/git/attributes", home ? home : "");
	strv_add(paths, "/etc/gitattributes");
}

bool attributes_elsewhere(git_repository *git)
{
	_git_config_ git_config *config = NULL;
	_strv_ struct strv files = {0};
	const char *value;

	attributes_files(git, &files);
	for (size_t i = 0; i < files.n; i++)
		if (access(files.v[i], F_OK) == 0)
			return true;
	return git_repository_config_snapshot(&config, git) < 0 ||
	       git_config_get_string(&value, config, "core.attributesfile") ==
		   0;
}

bool attributes_in(git_index *index)
{
	for (size_t i = 0; i < git_index_entrycount(index); i++) {
		const char *path = git_index_get_byindex(index, i)->path;

		if (strcmp(repo_basename(path), ".gitattributes") == 0)
			return true;
	}
	return false;
}

static bool is_set(git_config *config, const char *key)
{
	const char *value;

	return git_config_get_string(&value, config, key) == 0 && *value &&
	       strcmp(value, "false") != 0;
}

bool attributes_configured(git_repository *git)
{
	_git_config_ git_config *config = NULL;

	return git_repository_config_snapshot(&config, git) == 0 &&
	       (is_set(config, "core.autocrlf") || is_set(config, "core.eol"));
}

bool attributes_apply(git_repository *git, const char *dir)
{
	const char *top = git_repository_workdir(git);
	_git_index_ git_index *index = NULL;
	size_t len = 0;
	bool is =
	    attributes_elsewhere(git) || git_repository_index(&index, git) < 0;

	while (!is) {
		_free_ char *in =
				mem_printf("%.*s.gitattributes", (int)len, dir),
			    *path = mem_printf("%s%s", top ? top : "", in);

		is = access(path, F_OK) == 0 ||
		     git_index_get_bypath(index, in, 0);
		if (!dir[len])
			break;
		len += strcspn(dir + len, "/") + 1;
	}
	return is;
}
