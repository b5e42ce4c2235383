/* hooks.c - finds the hooks that git would run, in core.hooksPath or in the
 * repository's directory hooks. */
#include "worktrees/git/hooks.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/git_program.h"
#include "worktrees/git/repo.h"

char *hooks_find(git_repository *git, const char *top, const char *const *names,
		 struct strv *found, struct strv *ignored)
{
	_free_ char *set = git_program_config(git_repository_path(git),
					      "--type=path", "core.hooksPath");
	char *dir = !set ? mem_printf("%shooks", git_repository_commondir(git))
		    : set[0] == '/' ? mem_strdup(set)
				    : file_join(top, set);

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
	_strv_ struct strv found = {0};

	free(hooks_find(git, top, names, &found, NULL));
	json_set_strv(answer, "hooks_not_run", &found);
}
