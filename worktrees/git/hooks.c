/* hooks.c - finds the hooks that git would run, in core.hooksPath or in the
 * repository's directory hooks. */
#include "worktrees/git/hooks.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/git_program.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/repo.h"

/* Returns the absolute path of the hooks' directory; set: the value of
 * core.hooksPath, or NULL. */
static char *find_dir(git_repository *git, const char *top, const char *set)
{
	return !set || !*set
		   ? mem_printf("%shooks", git_repository_commondir(git))
	       : set[0] == '/' ? mem_strdup(set)
			       : file_join(top, set);
}

char *hooks_find(git_repository *git, const char *top, const char *const *names,
		 struct strv *found, struct strv *ignored)
{
	_free_ char *set = git_program_config(git_repository_path(git),
					      "--type=path", "core.hooksPath");
	char *dir = find_dir(git, top, set);

	for (; *names; names++) {
		_free_ char *path = file_join(dir, *names);

		if (access(path, X_OK) == 0)
			strv_add(found, *names);
		else if (ignored && errno == EACCES && access(path, F_OK) == 0)
			strv_take(ignored, file_join(set ? set : dir, *names));
	}
	return dir;
}

void hooks_set_not_run(git_repository *git, const char *top,
		       const char *const *names, cJSON *answer)
{
	_git_config_ git_config *config = NULL;
	_git_buf_ git_buf set = {0};
	_strv_ struct strv found = {0};
	_free_ char *dir = NULL;

	if (git_repository_config_snapshot(&config, git) == 0)
		git_config_get_path(&set, config, "core.hooksPath");
	dir = find_dir(git, top, set.ptr);
	for (; *names; names++) {
		_free_ char *path = file_join(dir, *names);

		if (access(path, X_OK) == 0)
			strv_add(&found, *names);
	}
	json_set_strv(answer, "hooks_not_run", &found);
}
