/*
 * commit.c - afw commit: commits what the agent left uncommitted on its branch,
 * as the user, by git: afw-worktree finds what that is, commit_git.c adds it
 * and runs git commit, and afw-worktree reports what is in the commit.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "commands/cli/input.h"
#include "commands/cli/option_rows.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "commands/commit.h"
#include "commands/commit_git.h"
#include "commands/recount.h"
#include "commands/sign_options.h"
#include "session/session.h"
#include "wire/worktree_client.h"

#define SHORT 10 /* digits of a commit's abbreviated id */

static const struct command_option options[] = {
    {.name = "message",
     .letter = 'm',
     .arg = "TEXT",
     .help = "the commit's message"},
    {.name = "file",
     .letter = 'F',
     .arg = "FILE",
     .help = "read the message from FILE (-: standard input)"},
    OPTION_ROWS_SIGN,
    {.name = "no-verify",
     .letter = 'n',
     .help = "do not run the hooks pre-commit and commit-msg"},
    {.name = "json", .help = "print what was committed as one object"},
    {.name = NULL},
};

/* head: what the branch was before git's commit; NULL: asks what is to be
 * committed. */
static cJSON *request_commit(const struct session *s, const struct args *args,
			     const char *head, struct err *err)
{
	struct commit_request rq = {.place = spec_place(&s->spec),
				    .sign = sign_options(args),
				    .head = head};

	return worktree_client_run(commit_request(&rq), NULL, NULL, 0, err);
}

/* -------------------------------------------------------------------------- */

static void report(const struct session *s, const cJSON *answer, bool several,
		   const struct args *args)
{
	const cJSON *f, *files = json_get(answer, "files");
	int64_t n = json_int(answer, "files_committed", 0);
	int64_t more = n - cJSON_GetArraySize(files);

	if (json_str(answer, "harvest"))
		output_warn("%s", json_str(answer, "harvest"));
	if (args_has(args, "json")) {
		cJSON *o = cJSON_Duplicate(answer, 1);

		cJSON_DeleteItemFromObjectCaseSensitive(o, "ok");
		json_set_str(o, "id", s->spec.id);
		json_set_str(o, "name", s->spec.name);
		json_set_str(o, "repository", s->spec.repository);
		output_json(o);
		return;
	}
	output_line(stdout, "%s%s%s: %.*s, %lld file%s", s->spec.branch,
		    several ? " of " : "",
		    several ? s->spec.repository_name : "", SHORT,
		    json_str_or(answer, "commit", ""), (long long)n,
		    n == 1 ? "" : "s");
	cJSON_ArrayForEach (f, files)
		output_line(stdout, "  %s", f->valuestring);
	if (more > 0)
		printf("  and %lld more\n", (long long)more);
}

static void add_options(struct strv *out, const struct args *args)
{
	const char *key = args_value(args, "gpg-sign");

	if (args_has(args, "no-verify"))
		strv_add(out, "--no-verify");
	if (args_has(args, "no-gpg-sign"))
		strv_add(out, "--no-gpg-sign");
	else if (args_has(args, "gpg-sign"))
		strv_addf(out, "--gpg-sign%s%s", key ? "=" : "",
			  key ? key : "");
}

/* git may find that nothing has changed: a file that was removed from the
 * index, and is added again. */
static void err_nothing(const struct session *s, const struct args *args,
			struct err *err)
{
	_json_ cJSON *there = request_commit(s, args, NULL, NULL);

	if (there && json_int(there, "files_committed", 1) == 0)
		err_set(err, ERR_FAILED, "all of its work is committed");
}

/* in: the whole session; s: the same, or one of its repositories. */
static cJSON *run_git(const struct session *s, const struct session *in,
		      const struct args *args, const cJSON *there,
		      const struct buf *text, bool edited, struct err *err)
{
	_commit_git_ struct commit_git g = {0};
	_strv_ struct strv opts = {0};
	const char *head = json_str_or(there, "head", "");
	cJSON *answer = NULL;

	add_options(&opts, args);
	if (commit_git_begin(&g, s, in, json_str_or(there, "git_dir", ""),
			     edited, err) < 0)
		return NULL;
	if (commit_git_stage(&g, json_str_or(there, "add", ""),
			     json_str_or(there, "gone", ""),
			     json_str_or(there, "stored", ""), err) == 0) {
		if (commit_git_commit(&g, &opts, text, err) == 0)
			answer = request_commit(s, args, head, err);
		else
			err_nothing(s, args, err);
	}
	commit_git_end(&g, head);
	return answer;
}

static void warn_nested(const struct session *s, const cJSON *there)
{
	const cJSON *f;

	cJSON_ArrayForEach (f, json_get(there, "nested"))
		output_warn("%s: left out: %s, a git repository of its own",
			    s->spec.name, f->valuestring);
}

/* Returns what was committed, to be deleted; NULL with err->kind ERR_NONE:
 * there was nothing. */
static cJSON *commit_one(const struct session *s, const struct session *in,
			 const struct args *args, const struct buf *text,
			 bool edited, struct err *err)
{
	_json_ cJSON *there = NULL;
	cJSON *answer = NULL;

	err_clear(err);
	there = request_commit(s, args, NULL, err);
	if (!there)
		return NULL;
	if (json_int(there, "files_committed", 0) == 0)
		err_clear(err);
	else if (edited && !(isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)))
		err_set(err, ERR_USAGE,
			"a message is needed: -m TEXT or -F FILE");
	else if (!edited && !text->data[strspn(text->data, " \t\r\n")])
		err_set(err, ERR_USAGE, "the message is empty");
	else
		answer = run_git(s, in, args, there, text, edited, err);
	if (answer || err->kind == ERR_NONE)
		warn_nested(s, there);
	unlink(json_str_or(there, "add", ""));
	unlink(json_str_or(there, "gone", ""));
	unlink(json_str_or(there, "stored", ""));
	return answer;
}

/* Commits in each of its repositories that has something to commit. */
static int commit_all(const struct session *s, const struct args *args,
		      bool quiet, struct err *err)
{
	const char *m = args_value(args, "message");
	const char *file = args_value(args, "file");
	_buf_ struct buf text = {0};
	size_t n = 0;

	buf_adds(&text, "");
	if (input_message(m, file, &text, err) < 0)
		return -1;
	if (s->spec.with && !m && !file)
		return err_set(err, ERR_USAGE,
			       "a message for all of its repositories is "
			       "needed: -m TEXT or -F FILE");
	for (size_t i = 0; i < spec_count(&s->spec); i++) {
		struct session one = *s;
		_json_ cJSON *answer = NULL;

		one.spec = spec_of(&s->spec, i);
		answer = commit_one(&one, s, args, &text, !m && !file, err);
		n += answer != NULL;
		if (answer && !quiet)
			report(&one, answer, s->spec.with, args);
		if (!answer && err->kind != ERR_NONE)
			return s->spec.with
				   ? err_prefix(err, "%s",
						one.spec.repository_name)
				   : -1;
	}
	return n ? 0 : err_set(err, ERR_FAILED, "all of its work is committed");
}

static int cmd_commit(struct session *s, const struct args *args,
		      struct err *err)
{
	int rc;

	if (targets_check_own(s, "commit", err) < 0)
		return -1;
	rc = commit_all(s, args, false, err);
	if (rc < 0)
		err_prefix(err, "commit '%s'", s->spec.name);
	if (rc == 0 || s->spec.with)
		recount(s, NULL);
	return rc;
}

int commit_quietly(struct session *s, const char *message,
		   const struct sign_choice *sign, struct err *err)
{
	_free_ char *how =
	    sign->sign == SWITCH_OFF ? mem_strdup("--no-gpg-sign")
	    : sign->sign_key ? mem_printf("--gpg-sign=%s", sign->sign_key)
			     : mem_strdup("--gpg-sign");
	char *argv[] = {(char[]){"--message"}, (char *)(size_t)message, how};
	struct args args;
	int rc = args_parse(&args, command_find("commit"),
			    sign->sign == SWITCH_ABSENT ? 2 : 3, argv, err);

	if (rc == 0)
		rc = commit_all(s, &args, true, err);
	args_finish(&args);
	if (rc < 0)
		return err_prefix(err, "commit '%s'", s->spec.name);
	recount(s, NULL);
	return 0;
}

const struct command command_commit = {
    .name = "commit",
    .usage = "[NAME]",
    .summary = "commit what the agent left uncommitted",
    .max_args = 1,
    .options = options,
    .each = cmd_commit,
};
