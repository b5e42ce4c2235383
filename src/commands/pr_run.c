/*
 * pr_run.c - runs git and pr_command for afw pr and afw land, in the main
 * worktree.
 */
#include "commands/pr_run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/gitenv.h"
#include "base/spawn.h"
#include "base/utf8.h"
#include "base/words.h"

#define DEADLINE_MS 60000
#define SAID_MAX    (64 * 1024)

/* Runs a program until it ends; -1 with its last line if it fails. */
static int run(const struct pr *pr, char *const *argv, struct buf *out,
	       struct err *err)
{
	struct spawn sp = {
	    .argv = argv, .envp = pr->env.v, .dir = pr->s->spec.repository};
	struct buf said = {0};
	char last[300];
	int status = 0, rc;

	rc = spawn_run(&sp, NULL, out, &said, SAID_MAX, DEADLINE_MS, &status,
		       err);
	if (rc == 0 && status != 0) {
		utf8_last_line(last, sizeof last, said.data, said.len);
		rc = err_set(err, ERR_FAILED, "%s%s%s failed (%s %d)%s%s",
			     argv[0], strcmp(argv[0], "git") == 0 ? " " : "",
			     strcmp(argv[0], "git") == 0 ? argv[1] : "",
			     WIFEXITED(status) ? "exit code" : "signal",
			     WIFEXITED(status) ? WEXITSTATUS(status)
					       : WTERMSIG(status),
			     *last ? ": " : "", last);
	}
	buf_finish(&said);
	return rc;
}

int pr_git(const struct pr *pr, struct buf *out, struct err *err,
	   const char *const *args)
{
	struct strv argv = {0};
	int rc;

	strv_add(&argv, "git");
	for (; *args; args++)
		strv_add(&argv, *args);
	rc = run(pr, argv.v, out, err);
	strv_finish(&argv);
	return rc;
}

int pr_check_remote(const struct pr *pr, struct err *err)
{
	const char *const args[] = {"remote", "get-url", pr->remote, NULL};
	struct buf out = {0};
	int rc = pr_git(pr, &out, err, args);

	buf_finish(&out);
	if (rc == 0 || err->kind == ERR_TIMEOUT)
		return rc;
	err_set(err, ERR_FAILED, "%s has no remote '%s'",
		pr->s->spec.repository, pr->remote);
	return err_hint(
	    err, "`git remote add %s URL` adds one; or remote in afw.ini(5)",
	    pr->remote);
}

int pr_push(const struct pr *pr, const char *from, const char *branch,
	    struct err *err)
{
	char *refspec = mem_printf("%s:refs/heads/%s", from, branch);
	const char *const args[] = {"push", "--", pr->remote, refspec, NULL};
	struct buf out = {0};
	int rc = pr_git(pr, &out, err, args);

	buf_finish(&out);
	free(refspec);
	return rc;
}

int pr_run_command(const struct pr *pr, const struct strv *command,
		   const struct pr_filling *with, struct buf *out,
		   struct err *err)
{
	struct strv argv = {0};
	int rc;

	for (size_t i = 0; i < command->n; i++) {
		char *word = mem_strdup(command->v[i]);

		for (const struct pr_filling *f = with; f->mark; f++) {
			char *filled = words_fill(word, f->mark, f->with);

			free(word);
			word = filled;
		}
		strv_take(&argv, word);
	}
	rc = run(pr, argv.v, out, err);
	strv_finish(&argv);
	return rc;
}

int pr_hint_pushed(const char *branch, struct err *err)
{
	if (err->hint[0])
		return -1;
	return err_hint(err,
			"the branch %s is pushed; pr_command in afw.ini(5) is "
			"what was run",
			branch);
}

void pr_set_env(struct strv *env)
{
	gitenv_copy(env);
	if (!getenv("GIT_TERMINAL_PROMPT"))
		strv_add(env, "GIT_TERMINAL_PROMPT=0");
}
