/* git_program.c - asks the git program what libgit2 does not know. */
#include "worktrees/git_program.h"

#include <string.h>
#include <sys/wait.h>

#include "base/gitenv.h"
#include "base/spawn.h"
#include "base/utf8.h"

#define DEADLINE_MS 30000
#define MAX	    ((size_t)1024 * 1024)

int git_program_ask(git_repository *git, const char *const *args,
		    struct buf *out, struct err *err)
{
	struct strv argv = {0}, env = {0};
	struct buf said = {0};
	struct spawn sp = {.dir = "/"};
	char line[256];
	const char *why = line;
	int status = 0, rc;

	strv_add(&argv, "git");
	strv_add(&argv, "--no-pager");
	strv_addf(&argv, "--git-dir=%s", git_repository_path(git));
	for (size_t i = 0; args[i]; i++)
		strv_add(&argv, args[i]);
	gitenv_copy(&env);
	strv_add(&env, "LC_ALL=C"); /* "fatal: " is cut off below */
	sp.argv = argv.v;
	sp.envp = env.v;
	rc = spawn_run(&sp, NULL, out, &said, MAX, DEADLINE_MS, &status, err);
	if (rc == 0 && (!WIFEXITED(status) || WEXITSTATUS(status) > 1)) {
		utf8_last_line(line, sizeof line, said.data, said.len);
		if (strncmp(line, "fatal: ", 7) == 0)
			why += 7;
		rc = err_set(err, ERR_FAILED, "git %s: %s", args[0],
			     *why ? why : "it failed");
	}
	strv_finish(&argv);
	strv_finish(&env);
	buf_finish(&said);
	return rc;
}
