/*
 * merge_run.c - has afw-worktree merge a session's branch, and prints the
 * result.
 */
#include "commands/merge_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/words.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "commands/conflicts.h"
#include "commands/hooks.h"
#include "commands/sign_options.h"
#include "wire/worktree_client.h"

#define SHORT 10 /* digits of a commit's abbreviated id */

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
	cJSON_ArrayForEach (f, json_get(answer, "files"))
		output_line(stdout, "  %s", f->valuestring);
	n -= cJSON_GetArraySize(json_get(answer, "files"));
	if (n > 0)
		printf("  and %lld more\n", (long long)n);
}

static void print_conflicts(const cJSON *answer)
{
	const cJSON *o, *found = json_get(answer, "conflicts");

	cJSON_ArrayForEach (o, json_get(answer, "at"))
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
	const cJSON *o, *all = json_get(answer, "commits");

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

static void print_result(const cJSON *answer, bool dry_run)
{
	const char *how = json_str_or(answer, "how", "");
	const char *into = json_str_or(answer, "into", "");
	const char *where = json_str(answer, "worktree");

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
}

static void hint_rm(const struct session *s)
{
	const char *host = getenv("AFW_HOST");

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

	cJSON_ArrayForEach (o, json_get(answer, "options_not_used"))
		buf_addf(&text, " %s", o->valuestring);
	if (text.len)
		output_warn("not used of branch.%s.mergeoptions:%s", into,
			    text.data);
	buf_finish(&text);
}

void merge_warn_left(const cJSON *answer)
{
	int64_t n = json_int(answer, "lfs_pointers", 0);
	_buf_ struct buf dir = {0};

	if (n)
		output_warn("%lld file%s of git LFS left as pointers; run `git "
			    "-C %s lfs pull`",
			    (long long)n, n == 1 ? "" : "s",
			    json_str_or(answer, "worktree", "."));
	words_quote_shown(json_str_or(answer, "worktree", "."), &dir);
	if (json_int(answer, "submodules", 0))
		output_hint("`git -C %s submodule update` checks out the "
			    "submodules that it changes",
			    dir.data);
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

int merge_report(const struct session *s, const cJSON *answer, bool last,
		 const struct args *args, struct err *err)
{
	bool refused = json_str(answer, "refused") != NULL;
	bool merged = !refused && !args_has(args, "dry-run");

	if (json_str(answer, "harvest"))
		output_warn("%s", json_str(answer, "harvest"));
	warn_options(answer);
	merge_warn_left(answer);
	if (!refused && last)
		warn_check_failed(s);
	if (args_has(args, "json")) {
		cJSON *o = cJSON_Duplicate(answer, 1);

		cJSON_DeleteItemFromObjectCaseSensitive(o, "ok");
		json_set_str(o, "id", s->spec.id);
		json_set_str(o, "name", s->spec.name);
		json_set_str(o, "repository", s->spec.repository);
		json_set_bool(o, "merged", merged);
		output_json(o);
	} else {
		if (cJSON_HasObjectItem(answer, "commits"))
			print_commits(answer);
		print_conflicts(answer);
		print_files(answer);
		if (!refused) {
			print_result(answer, !merged);
			if (merged && last && json_str(answer, "to"))
				hint_rm(s);
			print_hooks(answer, args);
		}
	}
	return refused ? err_refused(s, answer, err) : 0;
}

const char *merge_how(const struct args *args)
{
	return args_has(args, "squash")	  ? "squash"
	       : args_has(args, "rebase") ? "rebase"
					  : "merge";
}

cJSON *merge_run(const struct session *s, const struct args *args,
		 const char *into, bool fetched, bool dry_run, struct err *err)
{
	struct merge_request rq = {.place = spec_place(&s->spec),
				   .sign = sign_options(args),
				   .into = into,
				   .how = merge_how(args),
				   .message = args_value(args, "message"),
				   .fetched = fetched,
				   .dry_run = dry_run};

	if (fetched) {
		rq.place.worktree = rq.place.repository;
		rq.place.worktree_id = "-";
	}

	return worktree_client_run(merge_request(&rq), NULL, NULL, 0, err);
}

const char *merge_into(const struct session *s, size_t i,
		       const struct args *args, struct err *err)
{
	const char *into = args_value(args, "into");
	struct session one = *s;

	one.spec = spec_of(&s->spec, i);
	if (!into)
		into = one.spec.base ? one.spec.base : "";
	if (strcmp(into, s->spec.branch) == 0) {
		err_set(err, ERR_USAGE, "%s is its own branch", into);
		return NULL;
	}
	return targets_check_branch(&one, into, err) < 0 ? NULL : into;
}
