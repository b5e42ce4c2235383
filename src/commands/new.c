/*
 * new.c - afw new: makes the worktree and branch, starts the agent and delivers
 * the task.
 *
 * Everything that can be checked is checked before anything is made
 * (new_check.c); provision.c makes it and rolls it back.
 */
#include <stdlib.h>

#include "commands/attach.h"
#include "commands/cli/option_rows.h"
#include "commands/command.h"
#include "commands/launch/attempts.h"
#include "commands/launch/dry_run.h"
#include "commands/launch/provision.h"
#include "commands/launch/spares.h"
#include "commands/new_check.h"
#include "commands/new_report.h"
#include "commands/new_several.h"
#include "commands/new_words.h"
#include "session/session.h"

static const struct command_option new_options[] = {
    {.name = "agent",
     .old_name = "harness",
     .letter = 'a',
     .arg = "AGENT",
     .help = "the agent: claude, codex, gemini, opencode, or one of your "
	     "own; or several"},
    {.name = "base",
     .letter = 'b',
     .arg = "BASE",
     .help = "branch, tag or commit to start from"},
    {.name = "fetch",
     .help = "first fetch the branch to start from, if it follows a remote's",
     .not_with = "after from"},
    {.name = "after",
     .arg = "SESSION",
     .help = "start when that session is done, from its branch",
     .not_with = "base branch no-start attach"},
    {.name = "from",
     .arg = "SESSION[@N]",
     .help = "begin with the commit and the files of that session, as they are "
	     "or as in its checkpoint N",
     .not_with = "base after"},
    {.name = "with-changes",
     .arg = "[=COMMIT]",
     .help = "begin with the uncommitted changes here, too",
     .not_with = "after from branch"},
    {.name = "brief",
     .help = "with --from: first send the agent a summary of the other "
	     "session's work",
     .needs = "from",
     .not_with = "no-start no-brief"},
    {.name = "no-brief",
     .help = "with --from: send no summary, and do not ask",
     .needs = "from"},
    {.name = "fork",
     .help = "with --from: begin with a copy of its conversation, too",
     .needs = "from",
     .not_with = "brief no-start"},
    {.name = "branch",
     .arg = "BRANCH",
     .help = "check this branch out; with --base or --from: make it under this "
	     "name"},
    {.name = "sparse",
     .arg = "PATH",
     .many = true,
     .help = "check out only this directory, and the files above it",
     .not_with = "no-sparse from here worktree scratch"},
    {.name = "no-sparse",
     .help = "check out all files, though a sparse checkout here has only some",
     .not_with = "from here worktree scratch"},
    {.name = "here",
     .help = "make no worktree: work in the one you are in",
     .not_with = "worktree scratch base after from branch with-changes fetch"},
    {.name = "worktree",
     .arg = "PATH",
     .help = "make no worktree: work in this one of the repository",
     .not_with = "scratch base after from branch with-changes fetch"},
    {.name = "scratch",
     .help = "make no worktree: work in an empty directory, without git",
     .not_with = "base after from branch with-changes fetch"},
    {.name = "with",
     .arg = "PATH",
     .many = true,
     .help = "work in this repository, too, with a worktree of it beside",
     .not_with = "here worktree scratch after from branch with-changes fetch"},
    {.name = "profile",
     .letter = 'p',
     .arg = "TEMPLATE",
     .help = "use the options of a template, without its files"},
    {.name = "template",
     .letter = 't',
     .arg = "TEMPLATE",
     .help = "the role that it is made for: ralph, verifier, ..."},
    OPTION_ROWS_TASK,
    {.name = "group",
     .letter = 'g',
     .arg = "GROUP",
     .many = true,
     .help = "add it to this group (afw send --group)"},
    {.name = "system-prompt",
     .arg = "TEXT",
     .help = "add TEXT to the agent's system prompt"},
    {.name = "system-prompt-file",
     .arg = "FILE",
     .help = "the same from a file"},
    {.name = "instructions",
     .arg = "FILE",
     .help = "instructions for this session, from a file"},
    {.name = "mcp", .arg = "FILE", .help = "MCP servers for this session"},
    {.name = "backend",
     .arg = "BACKEND",
     .help = "what its terminal is: pty or tmux"},
    {.name = "sandbox", .arg = "SANDBOX", .help = "the sandbox of its agent"},
    OPTION_ROWS_OVERRIDES,
    {.name = "untrusted",
     .help = "continue without what is not trusted: .af/, env_file"},
    {.name = "attach", .help = "attach to it at once"},
    {.name = "no-start",
     .help = "do not start the agent: afw start does",
     .not_with = "message file env env-file attach",
     .why = "give it to `afw start`"},
    {.name = "dry-run",
     .letter = 'n',
     .help = "print what would be made and started, and make nothing",
     .not_with = "attach"},
    {.name = "json", .help = "print the session as one object"},
    {.name = NULL},
};

static int attach(const struct new_session *n, struct err *err)
{
	_session_ struct session s = {0};

	if (session_load(&s, n->spec.id, err) < 0)
		return -1;
	return attach_session(&s, n->plan.config, false, err);
}

static int make_one(const struct new_words *words, struct err *err)
{
	struct new_session n = {.plan.args = &words->args,
				.read = &words->read,
				.lock_fd = -1,
				.names_fd = -1};
	const struct args *args = &words->args;
	int rc;

	n.plan.dry_run = args_has(args, "dry-run");
	rc = new_check(&n, err);
	if (rc == 0 && n.plan.dry_run) {
		rc = dry_run_print(&n, err);
		new_finish(&n);
		return rc;
	}
	if (rc == 0)
		rc = provision_make(&n, err);
	if (rc == 0)
		rc = new_report(&n, err);
	if (rc == 0)
		spares_make(&n.spec, config_str(n.plan.config, OPTION_SPARES));
	if (rc == 0 && args_has(args, "attach"))
		rc = attach(&n, err);
	new_finish(&n);
	return rc;
}

static int cmd_new(const struct args *args, struct err *err)
{
	struct new_words words;
	int rc = new_words_read(&words, args, err);

	if (rc == 0)
		rc = attempts_are_meant(args) ? new_several(&words, err)
					      : make_one(&words, err);
	new_words_finish(&words);
	return rc;
}

const struct command command_new = {
    .name = "new",
    .strict = true,
    .usage = "[NAME] [[-m] TASK] [-- ARGS...]",
    .summary = "make a worktree and a branch, and start an agent in it",
    .max_args = 2,
    .rest = true,
    .takes_text = true,
    .options = new_options,
    .run = cmd_new,
};
