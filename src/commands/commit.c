/* commit.c - afw commit: commits what the agent left uncommitted on its branch,
 * as the user. Without a message the user's editor asks for it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/utf8.h"
#include "commands/editor.h"
#include "commands/cli/input.h"
#include "commands/cli/option_rows.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "commands/hooks.h"
#include "commands/recount.h"
#include "commands/sign_options.h"
#include "session/session.h"
#include "wire/protocol.h"
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

/* Requests the commit; with text NULL only what would be committed, with an
 * index for the hooks. */
static cJSON *request_commit(const struct hooks *h, const struct args *args,
			     const char *text, const char *template,
			     struct err *err)
{
	_json_ cJSON *request = spec_worktree_request(&h->s->spec, "commit");

	json_set_str(request, "message", text);
	json_set_bool(request, "comments", template != NULL);
	json_set_str(request, "template", template);
	json_set_bool(request, "verify", !args_has(args, "no-verify"));
	sign_options_add(args, request);
	if (h->names.n) {
		json_set_bool(request, "staged", true);
		json_set_str(request, "head", json_str(h->found, "head"));
	}
	return worktree_client_run(request, NULL, NULL, 0, err);
}

/* -- the editor ------------------------------------------------------------ */

/* Reads the text of commit.template. A relative path is in the main worktree,
 * because the agent can write in the session's. */
static int read_template(struct buf *out, const struct session *s,
			 const char *path, struct err *err)
{
	_free_ char *file = !path ? NULL
			    : path[0] == '/'
				? mem_strdup(path)
				: file_join(s->spec.repository, path);

	buf_adds(out, "");
	return file && file_read(AT_FDCWD, file, PROTOCOL_TEXT_MAX, out, err) <
			   0
		   ? err_hint(err, "it is commit.template; with -m TEXT it "
				   "is not needed")
		   : 0;
}

/* Appends what git shows there: commit.template, and the files as comments. A
 * file name cannot end its comment. */
static int add_template(struct buf *out, struct buf *template,
			const struct session *s, const cJSON *there,
			struct err *err)
{
	const cJSON *f;

	if (read_template(template, s, json_str(there, "template"), err) < 0)
		return -1;
	buf_addf(
	    out,
	    "%s\n# The commit's message, for branch %s; without one nothing "
	    "is committed.\n# Lines that begin with # are left out.\n#\n",
	    template->data, s->spec.branch);
	cJSON_ArrayForEach (f,
			    cJSON_GetObjectItemCaseSensitive(there, "files")) {
		buf_adds(out, "#\t");
		output_text(out, f->valuestring, -1);
		buf_addc(out, '\n');
	}
	return 0;
}

/* Lets the user edit text, which then is the message, with comments. */
static int edit_message(struct buf *text, char **path, struct err *err)
{
	*path = file_temporary(text->data, text->len, ".txt", err);
	if (!*path)
		return -1;
	buf_clear(text);
	if (editor_run((const char *[]){*path, NULL}, true, err) < 0)
		return -1;
	return input_message(NULL, *path, text, err);
}

/*
 * Commits as git does, with its hooks before and after. If the message could
 * not be committed, its file is kept. template: what the message began with;
 * NULL: it was not edited.
 */
static cJSON *commit_text(struct hooks *h, const struct args *args,
			  struct buf *text, const char *template,
			  struct err *err)
{
	cJSON *answer = NULL;
	_free_ char *path = NULL;
	int rc = hooks_run(h, "pre-commit", err);
	size_t written;

	if (rc == 0)
		rc = hooks_run_message(h, "prepare-commit-msg",
				       !template   ? "message"
				       : *template ? "template"
						   : NULL,
				       text, err);
	if (rc == 0 && template)
		rc = edit_message(text, &path, err);
	written = text->len;
	if (rc == 0)
		rc = hooks_run_message(h, "commit-msg", NULL, text, err);
	if (rc == 0 && written && !text->len)
		rc = err_set(err, ERR_FAILED,
			     "the hook commit-msg has left no message");
	/* JSON, which carries it to afw-worktree, cannot hold other bytes than
	 * UTF-8. */
	if (rc == 0 && text->len &&
	    (!utf8_valid(text->data, text->len) ||
	     memchr(text->data, '\0', text->len)))
		rc = err_set(err, ERR_FAILED, "the message is not UTF-8 text");
	if (rc == 0)
		answer = request_commit(h, args, text->len ? text->data : "",
					template, err);
	if (path && !answer && err->kind != ERR_USAGE)
		err_hint(err, "your message is kept in %s", path);
	else if (path)
		unlink(path);
	/* The commit exists, whatever this hook returns. */
	if (answer)
		hooks_run(h, "post-commit", NULL);
	return answer;
}

/* -------------------------------------------------------------------------- */

static void report(const struct session *s, const cJSON *answer,
		   const struct args *args)
{
	const cJSON *f,
	    *files = cJSON_GetObjectItemCaseSensitive(answer, "files");
	int64_t n = json_int(answer, "files_committed", 0);
	int64_t more = n - cJSON_GetArraySize(files);

	if (json_str(answer, "harvest"))
		output_warn("%s", json_str(answer, "harvest"));
	if (args_has(args, "json")) {
		cJSON *o = cJSON_Duplicate(answer, 1);

		cJSON_DeleteItemFromObjectCaseSensitive(o, "ok");
		json_set_str(o, "id", s->spec.id);
		json_set_str(o, "name", s->spec.name);
		output_json(o);
		return;
	}
	output_line(stdout, "%s: %.*s, %lld file%s", s->spec.branch, SHORT,
		    json_str_or(answer, "commit", ""), (long long)n,
		    n == 1 ? "" : "s");
	cJSON_ArrayForEach (f, files)
		output_line(stdout, "  %s", f->valuestring);
	if (more > 0)
		printf("  and %lld more\n", (long long)more);
}

static cJSON *commit_all(const struct session *s, const struct args *args,
			 struct err *err)
{
	const char *m = args_value(args, "message");
	const char *file = args_value(args, "file");
	bool edited = !m && !file;
	_json_ cJSON *there = NULL;
	_hooks_ struct hooks h = {.s = s, .editor = edited};
	_buf_ struct buf text = {0}, template = {0};
	cJSON *answer = NULL;

	if (input_message(m, file, &text, err) < 0)
		return NULL;
	if (text.len)
		buf_addc(&text, '\n');
	there = request_commit(&h, args, NULL, NULL, err);
	if (there && hooks_begin(&h, there, err) == 0) {
		if (json_int(there, "files_committed", 0) == 0)
			err_set(err, ERR_FAILED,
				"all of its work is committed");
		else if (edited &&
			 !(isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)))
			err_set(err, ERR_USAGE,
				"a message is needed: -m TEXT or -F FILE");
		else if (!edited ||
			 add_template(&text, &template, s, there, err) == 0)
			answer =
			    commit_text(&h, args, &text,
					edited ? template.data : NULL, err);
	}
	return answer;
}

static int cmd_commit(struct session *s, const struct args *args,
		      struct err *err)
{
	_json_ cJSON *answer = NULL;

	if (targets_check_idle(s, "commit", err) < 0)
		return -1;
	answer = commit_all(s, args, err);
	if (!answer)
		return err_prefix(err, "commit '%s'", s->spec.name);
	recount(s);
	report(s, answer, args);
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
