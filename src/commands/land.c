/*
 * land.c - afw land: brings the work of finished sessions into a branch, one
 * after another. Each is merged in memory first, and checked in exactly the
 * state in which it arrives.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/words.h"
#include "commands/cli/ask.h"
#include "commands/cli/option_rows.h"
#include "commands/cli/output.h"
#include "commands/land/land.h"
#include "commands/land/halt.h"
#include "commands/merge_run.h"
#include "commands/pr.h"
#include "commands/sign_options.h"
#include "session/disk/pull_request.h"
#include "wire/worktree_client.h"

#define SHORT 7 /* digits of a commit's abbreviated id */

static const struct command_option options[] = {
    {.name = "into",
     .letter = 'i',
     .arg = "BRANCH",
     .help = "the branch; default: the first one's base branch"},
    {.name = "squash",
     .letter = 's',
     .help = "merge each as one commit",
     .not_with = "rebase"},
    {.name = "rebase",
     .letter = 'r',
     .help = "add their commits one by one, without merge commits"},
    {.name = "commit",
     .letter = 'c',
     .help = "commit what an agent has not committed first"},
    {.name = "wait",
     .letter = 'w',
     .help = "wait for agents that are in a turn"},
    {.name = "batch",
     .letter = 'b',
     .help = "check all at once, and halves of them if that fails"},
    {.name = "pr",
     .help = "push the result and open one pull request, move no branch"},
    {.name = "no-resolve",
     .help = "leave out what conflicts or fails, do not ask its agent"},
    {.name = "tries",
     .arg = "N",
     .unit = "messages",
     .min = 1,
     .max = 20,
     .help = "how often an agent is asked to resolve conflicts; default 2",
     .not_with = "no-resolve"},
    {.name = "start",
     .help = "start a stopped agent to ask it",
     .not_with = "no-resolve"},
    {.name = "timeout",
     .letter = 't',
     .arg = "TIME",
     .help = "wait this long for a turn of an agent; default 1h",
     .not_with = "no-resolve"},
    {.name = "review",
     .help = "show each resolution of an agent, and ask",
     .not_with = "no-resolve json"},
    {.name = "dry-run", .letter = 'n', .help = "only print the plan"},
    {.name = "yes", .letter = 'y', .help = "do not ask"},
    OPTION_ROWS_SIGN,
    {.name = "json", .help = "print each session as one object, as it ends"},
    {.name = NULL},
};

static int confirm(const struct land *l, struct err *err)
{
	if (args_has(l->args, "yes"))
		return 0;
	if (!ask_possible()) {
		err_set(err, ERR_USAGE, "land: there is no terminal to ask on");
		return err_hint(err, "--yes lands them without a question");
	}
	return ask_yes("Land them?")
		   ? 0
		   : err_set(err, ERR_FAILED, "land: not confirmed");
}

/* Asks about what agents have made of it in earlier runs. */
static void review(struct land *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (!l->v[i].why && !land_review(l, &l->v[i])) {
			l->v[i].uncommitted = false;
			output_line(stdout, "%s: left out: %s",
				    l->v[i].s->spec.name, l->v[i].why);
		}
}

static int run(struct scratch *x, void *ctx, struct err *err)
{
	struct land *l = ctx;

	l->x = x;
	(args_has(l->args, "batch") ? land_batch : land_run)(l);
	return 0;
}

/* Returns the session in whose sandbox the checks run: the first that has one,
 * since the work of all ends up in one place. */
static const struct session *choose_sandbox(const struct land *l)
{
	const struct session *like = NULL;

	for (size_t i = 0; i < l->n; i++)
		if (!l->v[i].why &&
		    (!like || (strcmp(like->spec.sandbox, "none") == 0)))
			like = l->v[i].s;
	return like;
}

/* Prints the pull request as afw pr does, and the sessions that are in it. */
static void print_request(const struct land *l, const struct pr_commit *pc)
{
	const struct buf *said = &pc->said;
	_free_ char *url = said->len ? pr_find(said->data) : NULL;
	_strv_ struct strv names = {0};
	cJSON *o;

	if (!l->json) {
		/* It may contain a title that an agent wrote. */
		output_lines(stdout, said->data);
		output_line(stdout, "%s: %s, to be merged into %s", pc->branch,
			    pc->again ? "was pushed before" : "pushed",
			    l->into);
		return;
	}
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].landed)
			strv_add(&names, l->v[i].s->spec.name);
	o = cJSON_CreateObject();
	json_set_str(o, "branch", pc->branch);
	json_set_str(o, "base", l->into);
	json_set_str(o, "title", pc->title);
	json_set_text(o, "pr", url);
	json_set_str(o, "commit", pc->commit);
	json_set_strv(o, "sessions", &names);
	output_json(o);
}

/* Pushes what is to land as one branch, named by its commit. */
static int open_request(const struct land *l, struct err *err)
{
	CLEANUP(pr_commit_finish)
	struct pr_commit pc = {.base = l->into,
			       .commit = mem_strdup(l->to),
			       .branch =
				   mem_printf(PR_PREFIX "%.*s", SHORT, l->to)};
	const struct session *first = NULL;
	_buf_ struct buf title = {0};

	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].landed) {
			buf_addf(&title, "%s%s", first ? ", " : "Land ",
				 l->v[i].s->spec.name);
			first = l->v[i].s;
		}
	pc.title = title.data;
	if (pr_commit_open(&pc, first, err) < 0)
		return err_prefix(err, "land");
	print_request(l, &pc);
	return 0;
}

static bool has_conflict(const struct land *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (!l->v[i].landed &&
		    json_get(l->v[i].result.answer, "conflicts"))
			return true;
	return false;
}

static void print_sum(const struct land *l)
{
	_buf_ struct buf dir = {0};
	const char *stays = " Left out:";

	if (l->landed && !l->how.dry_run)
		printf("%s: %.*s..%.*s, ", l->how.into, SHORT, l->from, SHORT,
		       l->to);
	if (l->landed)
		printf("%zu session%s, %zu check%s passed.", l->landed,
		       l->landed == 1 ? "" : "s", l->passed,
		       l->passed == 1 ? "" : "s");
	else
		printf("%s is where it was.", l->how.into);
	for (size_t i = 0; i < l->n; i++)
		if (!l->v[i].landed) {
			printf("%s %s", stays, l->v[i].s->spec.name);
			stays = ",";
		}
	puts("");
	if (args_has(l->args, "no-resolve") && has_conflict(l))
		output_hint("without --no-resolve the agents are asked to "
			    "resolve their conflicts");
	if (!l->landed || l->how.dry_run)
		return;
	output_hint("`afw rm --merged` removes what has landed");
	words_quote_shown(l->worktree ? l->worktree : "", &dir);
	if (l->worktree)
		output_hint("`git -C %s reset --keep %.10s` takes all of it "
			    "back",
			    dir.data, l->from);
}

static int land(struct land *l, struct err *err)
{
	const struct session *like;
	struct scratch x = {.fn = run, .ctx = l};

	if (land_plan(l, err) < 0)
		return err_prefix(err, "land");
	like = choose_sandbox(l);
	if (!l->json || args_has(l->args, "dry-run"))
		land_print_plan(l);
	if (args_has(l->args, "dry-run"))
		return 0;
	if (like && l->how.dry_run && pr_commit_check(like, err) < 0)
		return err_prefix(err, "land");
	if (like && confirm(l, err) < 0)
		return -1;
	review(l);
	halt_catch();
	land_commit(l);
	if (!l->checks)
		run(NULL, l, err);
	else if (scratch_with(&x, like, l->how.into, err) < 0)
		return err_prefix(err, "land");
	if (!l->json && like)
		print_sum(l);
	if (halt_is_set()) {
		halt_err(err);
		return err_prefix(err, "land");
	}
	if (l->how.dry_run && l->landed && open_request(l, err) < 0)
		return -1;
	return l->landed == l->n ? 0 : ERR_CONFLICT;
}

static int cmd_land(const struct args *args, struct err *err)
{
	struct land l = {.args = args,
			 .json = args_has(args, "json"),
			 .how = {.how = merge_how(args),
				 .dry_run = args_has(args, "pr"),
				 .sign = sign_options(args)}};
	int rc;

	worktree_client_keep(true);
	rc = land(&l, err);
	worktree_client_keep(false);
	for (size_t i = 0; i < l.n; i++)
		landing_finish(&l.v[i]);
	free(l.v);
	free(l.into);
	free(l.from);
	free(l.to);
	free(l.worktree);
	session_list_finish(&l.all);
	strv_finish(&l.branches);
	return rc;
}

const struct command command_land = {
    .name = "land",
    .usage = "[NAME...]",
    .summary = "bring finished sessions into the branch, each one checked",
    .completes = "session",
    .max_args = -1,
    .options = options,
    .run = cmd_land,
};
