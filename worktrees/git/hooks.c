/* hooks.c - finds the hooks that git would run, in core.hooksPath or in the
 * repository's directory hooks. */
#include "worktrees/git/hooks.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "worktrees/git/cleanup.h"

/* Returns the absolute path of the hooks' directory; set: the value of
 * core.hooksPath, or NULL. */
static char *find_dir(git_repository *git, const char *top, const char *set)
{
	return !set || !*set
		   ? mem_printf("%shooks", git_repository_commondir(git))
	       : set[0] == '/' ? mem_strdup(set)
			       : file_join(top, set);
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
