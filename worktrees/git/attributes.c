/* attributes.c - whether files can have attributes at all. */
#include "worktrees/git/attributes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "worktrees/git/cleanup.h"

bool attributes_elsewhere(git_repository *git)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	_free_ char *info = mem_printf("%sinfo/attributes",
				       git_repository_commondir(git)),
		    *user = xdg && *xdg
				? mem_printf("%s/git/attributes", xdg)
				: mem_printf("%s/.config/git/attributes",
					     home ? home : "");
	_git_config_ git_config *config = NULL;
	const char *value;

	return access(info, F_OK) == 0 || access(user, F_OK) == 0 ||
	       access("/etc/gitattributes", F_OK) == 0 ||
	       git_repository_config_snapshot(&config, git) < 0 ||
	       git_config_get_string(&value, config, "core.attributesfile") ==
		   0;
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
