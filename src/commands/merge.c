/*
 * merge.c - afw merge: merges a session's commits into its base branch.
 * afw-worktree makes the result in memory and moves the branch last; if it
 * refuses, it names the files, and nothing is changed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "base/words.h"
#include "commands/checkpoint.h"
#include "commands/cli/option_rows.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "commands/conflicts.h"
#include "commands/fetch.h"
#include "commands/hooks.h"
#include "commands/launch/host_git.h"
#include "commands/launch/host_ssh.h"
#include "commands/merge_rest.h"
#include "commands/recount.h"
#include "commands/sign_options.h"
#include "session/session.h"
#include "wire/worktree_client.h"

#define SHORT 10 /* digits of a commit's abbreviated id */

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

/* The user may merge what has failed, but not without knowing it. */
static void warn_check_failed(const struct session *s)
{
	struct err note = {0};

	if (!s->state.check || strcmp(s->state.check, "failed") != 0)
		return;
	err_set(&note, ERR_NONE, "%s: its check failed", s->spec.name);
	targets_hint_check(s, &note);
	output_warning(&note);
}

/* -- refusals -------------------------------------------------------------- */

static void print_files(const cJSON *answer)
{
	int64_t n = json_int(answer, "files_refused", 0);
	const cJSON *f;

	if (n > 0)
		puts("files:");
	cJSON_ArrayForEach (f,
			    cJSON_GetObjectItemCaseSensitive(answer, "files"))
		output_line(stdout, "  %s", f->valuestring);
	n -= cJSON_GetArraySize(
	    cJSON_GetObjectItemCaseSensitive(answer, "files"));
	if (n > 0)
		printf("  and %lld more\n", (long long)n);
}

static void print_conflicts(const cJSON *answer)
{
	const cJSON *o,
	    *found = cJSON_GetObjectItemCaseSensitive(answer, "conflicts");

	cJSON_ArrayForEach (o, cJSON_GetObjectItemCaseSensitive(answer, "at"))
		output_line(stdout, "%.*s %s", SHORT,
			    json_str_or(o, "commit", ""),
			    json_str_or(o, "subject", ""));
	if (cJSON_GetArraySize(found))
		puts("conflicts:");
	conflicts_print(found, "  ");
}

static int err_refused(const struct session *s, const cJSON *answer,
		       struct err *err)
{
	const char *why = json_str_or(answer, "refused", "");
	const char *name = s->spec.name, *into = json_str(answer, "into");
	_buf_ struct buf dir = {0};

	if (strcmp(why, "uncommitted") == 0) {
		err_set(err, ERR_CONFLICT,
			"merge '%s': its worktree has uncommitted changes",
			name);
		return err_hint(err, "`afw commit %s` commits them", name);
	}
	if (strcmp(why, "modified") == 0) {
		err_set(err, ERR_CONFLICT,
			"merge '%s': %s has changes of its own in these files",
			name, json_str_or(answer, "worktree", ""));
		words_quote_shown(json_str_or(answer, "worktree", "."), &dir);
		return err_hint(err,
				"commit or move them there, or `git -C %s "
				"stash -u -- FILES`",
				dir.data);
	}
	if (strcmp(why, "not_fast_forward") == 0) {
		err_set(err, ERR_CONFLICT,
			"merge '%s': %s has other commits by now, and git's "
			"configuration allows only fast-forwards there "
			"(merge.ff, branch.%s.mergeoptions)",
			name, into, into);
		return err_hint(err, "`afw merge --rebase %s`", name);
	}
	err_set(err, ERR_CONFLICT,
		"merge '%s': it conflicts with %s; nothing is changed", name,
		into);
	/* The sandbox sees the branch as it was at its start; it has the
	 * commit. */
	return err_hint(err,
			"let the agent resolve them: `afw send %s \"Please "
			"merge commit %.*s into your branch and resolve the "
			"conflicts\"`",
			name, SHORT, json_str_or(answer, "from", ""));
}

/* -- the result ------------------------------------------------------------ */

static void print_commits(const cJSON *answer)
{
	int64_t n = json_int(answer, "ahead", 0);
	const cJSON *o,
	    *all = cJSON_GetObjectItemCaseSensitive(answer, "commits");

	output_line(stdout, "%s into %s: %lld commit%s",
		    json_str_or(answer, "branch", ""),
		    json_str_or(answer, "into", ""), (long long)n,
		    n == 1 ? "" : "s");
	cJSON_ArrayForEach (o, all)
		output_line(stdout, "  %.*s %s", SHORT,
			    json_str_or(o, "commit", ""),
			    json_str_or(o, "subject", ""));
	n -= cJSON_GetArraySize(all);
	if (n > 0)
		printf("  and %lld more\n", (long long)n);
}

static void print_result(const struct session *s, const cJSON *answer,
			 bool dry_run)
{
	const char *how = json_str_or(answer, "how", "");
	const char *into = json_str_or(answer, "into", "");
	const char *where = json_str(answer, "worktree"), *host;

	if (strcmp(how, "up-to-date") == 0) {
		output_line(stdout, "%s has all of it already", into);
		return;
	}
	if (dry_run) {
		output_line(stdout,
			    "it would be merged into %s without a conflict: %s",
			    into, how);
		return;
	}
	output_line(stdout, "%s: %.*s..%.*s (%s)%s%s", into, SHORT,
		    json_str_or(answer, "from", ""), SHORT,
		    json_str_or(answer, "to", ""), how,
		    where ? "; updated the files in " : "", where ? where : "");
	host = getenv("AFW_HOST");
	if (host && strcmp(host, "local") == 0)
		host = NULL;
	output_hint("`afw%s%s rm%s %s` removes the session", host ? " -H " : "",
		    host ? host : "", s->alive ? " --stop" : "", s->spec.name);
}

static void warn_options(const cJSON *answer)
{
	const char *into = json_str_or(answer, "into", "");
	struct buf text = {0};
	const cJSON *o;

	cJSON_ArrayForEach (
	    o, cJSON_GetObjectItemCaseSensitive(answer, "options_not_used"))
		buf_addf(&text, " %s", o->valuestring);
	if (text.len)
		output_warn("not used of branch.%s.mergeoptions:%s", into,
			    text.data);
	buf_finish(&text);
}

/* Prints the hooks that are not run; for a dry run with the command by which
 * git merges and runs them. */
static void print_hooks(const cJSON *answer, const struct args *args)
{
	char *hint = NULL;

	if (args_has(args, "dry-run") && !args_has(args, "squash") &&
	    !args_has(args, "rebase"))
		hint = mem_printf("; `git -C %s merge %s` runs them",
				  json_str_or(answer, "worktree", ""),
				  json_str_or(answer, "branch", ""));
	hooks_print_not_run(answer, hint ? hint : "");
	free(hint);
}

static int report(const struct session *s, cJSON *answer,
		  const struct args *args, struct err *err)
{
	bool refused = json_str(answer, "refused") != NULL;

	if (json_str(answer, "harvest"))
		output_warn("%s", json_str(answer, "harvest"));
	warn_options(answer);
	if (!refused)
		warn_check_failed(s);
	if (args_has(args, "json")) {
		cJSON *o = cJSON_Duplicate(answer, 1);

		cJSON_DeleteItemFromObjectCaseSensitive(o, "ok");
		json_set_str(o, "id", s->spec.id);
		json_set_str(o, "name", s->spec.name);
		json_set_bool(o, "merged",
			      !refused && !args_has(args, "dry-run"));
		output_json(o);
	} else {
		if (cJSON_HasObjectItem(answer, "commits"))
			print_commits(answer);
		print_conflicts(answer);
		print_files(answer);
		if (!refused) {
			print_result(s, answer, args_has(args, "dry-run"));
			print_hooks(answer, args);
		}
	}
	return refused ? err_refused(s, answer, err) : 0;
}

static cJSON *request_merge(const struct session *s, const struct args *args,
			    const char *into, bool fetched, struct err *err)
{
	struct merge_request rq = {.place = spec_place(&s->spec),
				   .sign = sign_options(args),
				   .into = into,
				   .how = args_has(args, "squash")   ? "squash"
					  : args_has(args, "rebase") ? "rebase"
								     : "merge",
				   .message = args_value(args, "message"),
				   .fetched = fetched,
				   .dry_run = args_has(args, "dry-run")};

	if (fetched) {
		rq.place.worktree = rq.place.repository;
		rq.place.worktree_id = "-";
	}

	return worktree_client_run(merge_request(&rq), NULL, NULL, 0, err);
}

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

static int cmd_merge(struct session *s, const struct args *args,
		     struct err *err)
{
	const char *into = args_value(args, "into");
	_session_list_ struct session_list rest = {0};
	cJSON *answer;
	int rc;

	if (!into)
		into = s->spec.base ? s->spec.base : "";
	if (targets_check_idle(s, "merge", err) < 0 ||
	    (args_has(args, "require-check") &&
	     targets_check_passed(s, "merge", err) < 0))
		return -1;
	if (strcmp(into, s->spec.branch) == 0)
		return err_set(err, ERR_USAGE,
			       "merge '%s': %s is its own branch", s->spec.name,
			       into);
	if (targets_check_branch(s, into, err) < 0)
		return err_prefix(err, "merge '%s'", s->spec.name);
	if (merge_rest_find(&rest, s, args, err) < 0)
		return -1;
	if (!args_has(args, "dry-run"))
		store_checkpoint(s);
	answer = request_merge(s, args, into, false, err);
	if (!answer)
		return err_prefix(err, "merge '%s'", s->spec.name);
	if (!args_has(args, "dry-run"))
		recount(s, NULL);
	rc = report(s, answer, args, err);
	cJSON_Delete(answer);
	return rc == 0 ? merge_rest_remove(&rest, args, err) : rc;
}

/* -- a session of another machine ------------------------------------------ */

/* Has afw there check the session, and merge it in memory into the branch that
 * was just pushed. Returns the exit code, or -1 with err. */
static int check_there(const struct session *s, const struct args *args,
		       const char *url, const char *into, struct err *err)
{
	static const char *const same[] = {"squash", "rebase", "require-check"};
	_buf_ struct buf line = {0}, out = {0};
	int code;

	host_ssh_begin(&line, url);
	host_ssh_word(&line, "merge");
	host_ssh_word(&line, "--dry-run");
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		if (args_has(args, same[i]))
			host_ssh_option(&line, same[i], NULL);
	if (args_has(args, "json"))
		host_ssh_word(&line, "--json");
	host_ssh_option(&line, "into", into);
	host_ssh_word(&line, s->spec.id);
	code = host_ssh_ask(url, &line, &out, NULL, err);
	if (code > 0 || (code == 0 && args_has(args, "dry-run")))
		output_lines(stdout, out.data);
	return code;
}

/* The branch is here only for the merge, unless it was fetched before. */
static int merge_fetched(const struct session *s, const struct args *args,
			 const char *url, const char *into, struct err *err)
{
	bool made = false;
	_free_ char *commit = host_git_fetch(url, s->spec.branch, &made, err);
	_json_ cJSON *answer = NULL;
	int rc;

	if (!commit)
		return -1;
	answer = request_merge(s, args, into, true, err);
	rc = answer ? report(s, answer, args, err) : -1;
	if (made)
		host_git_drop(s->spec.branch, commit);
	return rc;
}

static int push_result(const char *url, const char *into, struct err *err)
{
	if (host_git_push_branch(url, into, err) == 0)
		return 0;
	err_prefix(err,
		   "it is merged into %s here, but the machine there does "
		   "not know it",
		   into);
	return err_hint(err, "the same command again completes it");
}

/* Returns the branch of here that the session goes into, or NULL with err. */
static const char *into_here(const struct session *s, const struct args *args,
			     const char *url, struct err *err)
{
	const char *into = args_value(args, "into");

	if (into)
		return into;
	into = s->spec.base + strlen(GITFILE_HERE "/");
	if (host_git_knows(url, into))
		return into;
	err_set(err, ERR_FAILED,
		"it was made from %s, which this repository has not pushed",
		into);
	err_hint(err, "--into BRANCH names a branch of here");
	return NULL;
}

/* A session that was made there, from a branch there, is merged there. */
static int merge_over_host(const struct args *args, const char *url, int *code,
			   struct err *err)
{
	_session_ struct session s = {0};
	_free_ char *there = NULL;
	const char *into;

	*code = fetch_look(&s, args, url, err);
	if (*code != 0)
		return *code < 0 ? -1 : 1;
	if (strncmp(s.spec.base, GITFILE_HERE "/", strlen(GITFILE_HERE "/")) !=
	    0)
		return 0;
	if (args_has(args, "rest"))
		return err_set(err, ERR_USAGE,
			       "merge: --rest is not for another machine");
	into = into_here(&s, args, url, err);
	if (!into || host_git_push_branch(url, into, err) < 0)
		return err_prefix(err, "merge '%s'", s.spec.name);
	there = mem_printf(GITFILE_HERE "/%s", into);
	*code = check_there(&s, args, url, there, err);
	if (*code != 0 || args_has(args, "dry-run"))
		return *code < 0 ? -1 : 1;
	if (merge_fetched(&s, args, url, into, err) < 0 ||
	    push_result(url, into, err) < 0)
		return -1;
	return 1;
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
