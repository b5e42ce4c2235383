/*
 * merge_git.c - a merge by the git program, which runs its hooks: the user has
 * asked for that. It runs in the worktree of the branch that is merged into,
 * like a `git merge` typed there.
 */
#include "commands/merge_git.h"

#include <string.h>
#include <sys/wait.h>

#include "base/gitenv.h"
#include "commands/hook_run.h"

#define ABORT_MS 60000

static void abort_merge(struct spawn *sp, struct err *err)
{
	char *const argv[] = {(char *)"git", (char *)"merge", (char *)"--abort",
			      NULL};
	int status;

	sp->argv = argv;
	if (spawn_run(sp, NULL, NULL, NULL, 0, ABORT_MS, &status, NULL) == 0 &&
	    status == 0)
		err_hint(err, "nothing is changed: git merge --abort has "
			      "rolled it back");
	else /* git had not begun, or it was in post-merge already */
		err_hint(err,
			 "git status and git log, in %s, print what git "
			 "has done",
			 sp->dir);
}

static void add_sign(const struct args *args, struct strv *argv)
{
	const char *key = args_value(args, "gpg-sign");

	if (args_has(args, "no-gpg-sign"))
		strv_add(argv, "--no-gpg-sign");
	else if (args_has(args, "gpg-sign"))
		strv_addf(argv, "-S%s", key ? key : "");
}

int merge_git(const struct session *s, const struct args *args,
	      const cJSON *plan, struct err *err)
{
	const char *message = json_str(plan, "message");
	bool forward =
	    strcmp(json_str_or(plan, "how", ""), "fast-forward") == 0;
	struct strv argv = {0}, env = {0};
	struct spawn sp = {.dir = json_str(plan, "worktree")};
	struct hook_end end;
	int rc;

	strv_add(&argv, "git");
	strv_add(&argv, "merge");
	strv_add(&argv, forward ? "--ff-only" : "--no-ff");
	/* branch.NAME.mergeoptions may say otherwise. */
	strv_add(&argv, "--commit");
	strv_add(&argv, "--no-squash");
	strv_add(&argv, "--no-edit");
	if (message && !forward) {
		strv_add(&argv, "-m");
		strv_add(&argv, message);
	}
	add_sign(args, &argv);
	strv_addf(&argv, "refs/heads/%s", s->spec.branch);
	gitenv_copy(&env);
	sp.argv = argv.v;
	sp.envp = env.v;
	rc = hook_run(&sp, "git merge", s->spec.check_timeout_ms, &end, err);
	if (rc < 0)
		err_prefix(err, "git merge in %s", sp.dir);
	else if (end.status != 0)
		rc = err_set(err, ERR_FAILED, "git merge in %s has failed: %s",
			     sp.dir, end.last);
	if (rc < 0)
		abort_merge(&sp, err);
	strv_finish(&argv);
	strv_finish(&env);
	return rc;
}
