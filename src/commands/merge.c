/*
 * merge.c - afw merge: merges a session's commits into its base branch.
 * afw-worktree makes the result in memory and moves the branch last; if it
 * refuses, it names the files, and nothing is changed.
 */

#include "base/json.h"
#include "commands/checkpoint.h"
#include "commands/cli/option_rows.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "commands/land/merge_checked.h"
#include "commands/merge_host.h"
#include "commands/merge_rest.h"
#include "commands/merge_run.h"
#include "commands/recount.h"
#include "session/session.h"

static const struct command_option options[] = {
    {.name = "squash",
     .letter = 's',
     .help = "merge as one commit",
     .not_with = "rebase"},
    {.name = "rebase",
     .letter = 'r',
     .help = "add its commits one by one, without a merge commit",
     .not_with = "message",
     .why = "each commit keeps its own message"},
    {.name = "check",
     .help = "check the result first; merge it only if that passes"},
    {.name = "require-check",
     .letter = 'c',
     .help = "merge only if the check of its last turn has passed"},
    {.name = "message",
     .letter = 'm',
     .arg = "TEXT",
     .help = "the message of the new commit"},
    {.name = "into",
     .letter = 'i',
     .arg = "BRANCH",
     .help = "merge into BRANCH, not into its base branch"},
    {.name = "dry-run",
     .letter = 'n',
     .help = "only print what the merge would do"},
    {.name = "rest",
     .arg = "rm",
     .help = "after the merge, remove the others of its group",
     .not_with = "dry-run"},
    {.name = "yes",
     .letter = 'y',
     .help = "remove them without a question",
     .needs = "rest"},
    OPTION_ROWS_SIGN,
    {.name = "json", .help = "print the result as one object"},
    {.name = NULL},
};

/* The merge changes nothing in the session's worktree, so it goes ahead without
 * one. */
static void store_checkpoint(const struct session *s)
{
	struct err err = {0};
	cJSON *answer = checkpoint_session(s, "merge", NULL, &err);

	if (!answer)
		output_warn("%s: store a checkpoint: %s", s->spec.name,
			    err.what);
	cJSON_Delete(answer);
}

static int merge_one(const struct session *s, const struct args *args,
		     const char *into, struct err *err)
{
	_json_ cJSON *answer = args_has(args, "check")
				   ? merge_checked(s, args, into, err)
				   : merge_run(s, args, into, false,
					       args_has(args, "dry-run"), err);

	if (!answer)
		return err_prefix(err, "merge '%s'", s->spec.name);
	if (!args_has(args, "dry-run"))
		recount(s, NULL);
	return merge_report(s, answer, true, args, err);
}

static int cmd_merge(struct session *s, const struct args *args,
		     struct err *err)
{
	_session_list_ struct session_list rest = {0};
	const char *into;
	int rc;

	if (args_has(args, "check") &&
	    spec_check_single(&s->spec, "merge --check", err) < 0)
		return err_prefix(err, "merge '%s'", s->spec.name);
	if (targets_check_own(s, "merge", err) < 0 ||
	    (args_has(args, "require-check") &&
	     targets_check_passed(s, "merge", err) < 0))
		return -1;
	for (size_t i = 0; i < spec_count(&s->spec); i++)
		if (!merge_into(s, i, args, err))
			return err_prefix(err, "merge '%s'", s->spec.name);
	if (merge_rest_find(&rest, s, args, err) < 0)
		return -1;
	if (!args_has(args, "dry-run"))
		store_checkpoint(s);
	into = merge_into(s, 0, args, err);
	rc = s->spec.with ? merge_all(s, args, err)
			  : merge_one(s, args, into, err);
	return rc == 0 ? merge_rest_remove(&rest, args, err) : rc;
}

const struct command command_merge = {
    .name = "merge",
    .usage = "[NAME]",
    .summary = "put its commits into the branch that it was made from",
    .max_args = 1,
    .options = options,
    .each = cmd_merge,
    .over_host = merge_over_host,
};
