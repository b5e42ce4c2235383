/* hooks.c - which hooks git would run: those in core.hooksPath, or in the
 * directory hooks of the repository. */
#include "worktrees/hooks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/git_program.h"
#include "base/mem.h"

static bool is_advice_wanted(git_repository *git)
{
	char *value = git_program_config(git_repository_path(git),
					 "--type=bool", "advice.ignoredHook");
	bool is = !value || strcmp(value, "false") != 0;

	free(value);
	return is;
}

void hooks_find(git_repository *git, const char *top, const char *const *names,
		cJSON *answer)
{
	/* It may be relative to the worktree. */
	char *dir = git_program_config(git_repository_path(git), "--type=path",
				       "core.hooksPath");
	struct strv found = {0}, ignored = {0};

	if (!dir)
		dir = mem_printf("%shooks", git_repository_commondir(git));
	for (; *names; names++) {
		char *path = file_join(dir, *names);
		char *full =
		    path[0] == '/' ? mem_strdup(path) : file_join(top, path);

		if (access(full, X_OK) == 0)
			strv_add(&found, full);
		else if (errno == EACCES && access(full, F_OK) == 0 &&
			 is_advice_wanted(git))
			strv_add(&ignored, path);
		free(full);
		free(path);
	}
	json_set_strv(answer, "hooks", &found);
	json_set_strv(answer, "hooks_ignored", &ignored);
	strv_finish(&found);
	strv_finish(&ignored);
	free(dir);
}
