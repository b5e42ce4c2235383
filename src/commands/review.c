/*
 * review.c - afw review: comments on what an agent has changed, written in the
 * user's editor as in a mail, and sent as one message.
 *
 * The dashboard runs this command with --add, --delete, --resolve and --send,
 * so that a key and a command cannot differ.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "commands/cli/input.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/diff.h"
#include "commands/editor.h"
#include "commands/review_follow.h"
#include "commands/send_receipt.h"
#include "session/review/comment_mail.h"
#include "session/review/comment_message.h"
#include "session/review/comment_place.h"
#include "wire/protocol.h"

#define MAIL_BYTES_MAX	(2 * COMMENT_MAIL_BYTES)
#define SEND_TIMEOUT_MS 60000

static const struct command_option options[] = {
    {.name = "send",
     .help = "send the comments that are stored, as one message",
     .only_with = "json"},
    {.name = "resolve",
     .arg = "ID",
     .many = true,
     .help = "comment ID needs no more work: do not show it any more",
     .only_with = "resolve delete"},
    {.name = "delete",
     .arg = "ID",
     .many = true,
     .help = "delete comment ID",
     .only_with = "resolve delete"},
    {.name = "add",
     .help = "read a comment from standard input, as --json prints it",
     .only_with = ""},
    {.name = "json", .help = "print the comments as one array of objects"},
    {.name = NULL},
};

static int read_diff(const struct session *s, struct buf *diff, struct err *err)
{
	struct diff_request rq = {0};

	if (spec_check_checkout(&s->spec, err) < 0)
		return -1;
	return diff_read_all(&s->spec, &rq, "its diff", diff, err);
}

/* Locks the comments, and updates the states of the comments that were sent. */
static int open_comments(const struct session *s, struct comments *c,
			 struct err *err)
{
	if (comments_edit(c, s->dir, err) < 0)
		return -1;
	return review_follow(s, c) ? comments_save(c, s->dir, err) : 0;
}

static void hint_send(const struct session *s, const struct comments *c)
{
	size_t n = comments_unsent(c);

	if (n)
		output_hint("`afw review %s --send` sends %zu comment%s",
			    s->spec.name, n, n == 1 ? "" : "s");
}

/* -- listing --------------------------------------------------------------- */

static int print_json(const struct session *s, struct err *err)
{
	_comments_ struct comments c = {0};
	_buf_ struct buf diff = {0};
	_free_ struct comment_place *places = NULL;
	cJSON *list = cJSON_CreateArray();

	if (open_comments(s, &c, err) < 0 ||
	    (c.n && read_diff(s, &diff, err) < 0)) {
		cJSON_Delete(list);
		return -1;
	}
	places = mem_alloc((c.n + 1) * sizeof *places);
	comments_place(&c, diff.data ? diff.data : "", places);
	for (size_t i = 0; i < c.n; i++) {
		cJSON *o = comment_to_json(&c.v[i]);
		char at[CLOCK_RFC3339_SIZE];

		clock_format(c.v[i].at, at);
		cJSON_DeleteItemFromObjectCaseSensitive(o, "at");
		cJSON_DeleteItemFromObjectCaseSensitive(o, "sent_at");
		json_set_str(o, "at", at);
		if (c.v[i].sent_at) {
			clock_format(c.v[i].sent_at, at);
			json_set_str(o, "sent_at", at);
		}
		json_set_bool(o, "stale", !places[i].found);
		json_set_int(o, "line_now", (int64_t)places[i].line);
		cJSON_AddItemToArray(list, o);
	}
	output_json(list);
	return 0;
}

/* -- changing -------------------------------------------------------------- */

/* Stores a comment; with an id it replaces the text of that one. */
static int add_comment(const struct session *s, struct err *err)
{
	_buf_ struct buf text = {0};
	_comments_ struct comments c = {0};
	_comment_ struct comment new = {0};
	_json_ cJSON *o = NULL;
	struct comment *old;
	int64_t id;

	if (input_message(NULL, "-", &text, err) < 0)
		return -1;
	o = json_parse_object(text.data ? text.data : "", text.len, err);
	if (!o) {
		err->kind = ERR_USAGE;
		return -1;
	}
	if (comment_from_json(&new, o, err) < 0 ||
	    open_comments(s, &c, err) < 0)
		return -1;
	id = new.id;
	if (id) {
		old = comments_find(&c, id, err);
		if (!old || comment_set_text(old, new.text, err) < 0)
			return -1;
	} else if (comments_add(&c, &new, err) < 0) {
		return -1;
	}
	if (comments_save(&c, s->dir, err) < 0)
		return -1;
	printf("%s: comment %" PRId64 " %s\n", s->spec.name, id ? id : c.last,
	       id ? "changed" : "stored");
	hint_send(s, &c);
	return 0;
}

/* Gets the next comment that the option names; 1, 0 at the end, or -1. */
static int next_comment(const struct args *args, const char *option, size_t *i,
			const struct comments *c, struct comment **out,
			struct err *err)
{
	const char *text = args_next(args, option, i);
	char *end;
	int64_t id;

	if (!text)
		return 0;
	id = strtoll(text, &end, 10);
	if (*end || id <= 0)
		return err_set(err, ERR_USAGE,
			       "'%.40s' is not the number of a comment", text);
	*out = comments_find(c, id, err);
	return *out ? 1 : -1;
}

/* Nothing is stored unless all are found. */
static int end_comments(const struct session *s, const struct args *args,
			struct err *err)
{
	_comments_ struct comments c = {0};
	struct comment *one;
	size_t i = 0, d = 0;
	int rc;

	if (open_comments(s, &c, err) < 0)
		return -1;
	while ((rc = next_comment(args, "resolve", &i, &c, &one, err)) > 0)
		one->resolved = true;
	while (rc >= 0 &&
	       (rc = next_comment(args, "delete", &d, &c, &one, err)) > 0)
		comments_delete(&c, one->id);
	if (rc < 0 || comments_save(&c, s->dir, err) < 0)
		return -1;
	printf("%s: comments to send: %zu\n", s->spec.name,
	       comments_unsent(&c));
	return 0;
}

/* -- in the editor --------------------------------------------------------- */

/* Stores what is in the file. */
static int take_mail(const struct session *s, const struct comments *shown,
		     const char *diff, const struct buf *mail, struct err *err)
{
	_comments_ struct comments read = {0}, c = {0};
	struct comment_changes n = {0};

	if (comments_read_mail(shown, diff, mail->data, &read, err) < 0 ||
	    comments_edit(&c, s->dir, err) < 0 ||
	    comments_apply(&c, shown, &read, &n, err) < 0)
		return -1;
	if (!n.added && !n.changed && !n.deleted) {
		printf("%s: no comment has changed\n", s->spec.name);
		return 0;
	}
	if (comments_save(&c, s->dir, err) < 0)
		return -1;
	printf("%s: comments: %zu added, %zu changed, %zu deleted\n",
	       s->spec.name, n.added, n.changed, n.deleted);
	hint_send(s, &c);
	return 0;
}

/* Runs the editor on the text and reads it back; returns whether it differs. */
static int edit_mail(const char *path, const struct buf *before,
		     struct buf *after, bool *differs, struct err *err)
{
	int rc = editor_run((const char *[]){path, NULL}, false, err);
	struct err why = {0};

	if (file_read(AT_FDCWD, path, MAIL_BYTES_MAX, after, &why) < 0) {
		*differs = true;
		if (rc == 0)
			*err = why;
		return -1;
	}
	buf_adds(after, "");
	*differs = after->len != before->len ||
		   memcmp(after->data, before->data, before->len) != 0;
	if (rc == 0 && memchr(after->data, '\0', after->len))
		return err_set(err, ERR_USAGE, "the text holds a NUL byte");
	return rc;
}

static bool is_blank(const struct buf *b)
{
	return strspn(b->data, " \t\r\n") == b->len;
}

static int edit_comments(const struct session *s, struct err *err)
{
	_comments_ struct comments c = {0};
	_buf_ struct buf diff = {0}, before = {0}, after = {0};
	_free_ char *path = NULL;
	bool differs = false;
	int rc;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		err_set(err, ERR_USAGE, "the editor needs a terminal");
		return err_hint(err,
				"`afw review %s --json` lists the comments, "
				"--add reads one, --send sends them",
				s->spec.name);
	}
	if (open_comments(s, &c, err) < 0 || read_diff(s, &diff, err) < 0)
		return -1;
	if (!diff.len && !c.n)
		return err_set(err, ERR_FAILED, "it has changed nothing yet");
	file_reset(&c.lock); /* not while the user writes */
	c.lock = 0;
	comments_print_mail(&c, s->spec.name, diff.data, &before);
	path = file_temporary(before.data, before.len, ".txt", err);
	if (!path)
		return -1;
	rc = edit_mail(path, &before, &after, &differs, err);
	if (rc == 0 && (!differs || is_blank(&after)))
		printf("%s: no comment has changed\n", s->spec.name);
	else if (rc == 0)
		rc = take_mail(s, &c, diff.data, &after, err);
	if (rc == 0 || !differs)
		unlink(path);
	else
		err_hint_line(err, "your text is in %s", path);
	return rc;
}

/* -- sending --------------------------------------------------------------- */

/* Sets which message those that are to be sent are in; not of one that is not
 * as it was any more: its text was changed meanwhile, and is not sent. */
static void set_sent(struct comments *c, const int64_t *ids, size_t n,
		     int64_t was, int64_t message)
{
	for (size_t i = 0; i < n; i++) {
		struct comment *one = comments_find(c, ids[i], NULL);

		if (!one || one->message != was)
			continue;
		one->message = message;
		if (!message || !one->sent_at)
			one->sent_at = message ? clock_wall_ms() : 0;
	}
}

static int make_message(const struct session *s, const struct comments *c,
			struct buf *text, struct err *err)
{
	_buf_ struct buf diff = {0};

	if (!comments_unsent(c)) {
		err_set(err, ERR_FAILED, "it has no comments to send");
		return err_hint(err, "`afw review %s` opens your editor",
				s->spec.name);
	}
	if (read_diff(s, &diff, err) < 0)
		return -1;
	comments_message(c, diff.data, text);
	if (text->len <= PROTOCOL_TEXT_MAX)
		return 0;
	err_set(err, ERR_LIMIT,
		"the comments are %zu KiB as a message, which holds at most "
		"%d; nothing is sent",
		text->len / 1024, PROTOCOL_TEXT_MAX / 1024);
	return err_hint(err, "delete or resolve some");
}

/* They are marked as perhaps sent before, so that a kill between cannot send
 * them twice. */
static int send_comments(struct session *s, bool json, struct err *err)
{
	const struct session_list to = {.v = s, .n = 1};
	struct receipts receipts = {
	    .what = "send to", .json = json, .keep = true};
	struct request rq = {.id = REQUEST_SEND,
			     .send = {.when_idle = true,
				      .has_timeout_ms = true,
				      .timeout_ms = SEND_TIMEOUT_MS}};
	_comments_ struct comments c = {0};
	_buf_ struct buf text = {0};
	int64_t ids[COMMENTS_MAX];
	size_t n = 0;
	int code, rc;

	if (open_comments(s, &c, err) < 0 ||
	    make_message(s, &c, &text, err) < 0)
		return -1;
	for (size_t i = 0; i < c.n; i++)
		if (comment_is_unsent(&c.v[i]))
			ids[n++] = c.v[i].id;
	set_sent(&c, ids, n, 0, COMMENT_UNSURE);
	rc = comments_save(&c, s->dir, err);
	comments_finish(&c);
	if (rc < 0)
		return -1;
	rq.send.text = text.data;
	code = receipts_request(&receipts, &to, &rq,
				SEND_TIMEOUT_MS + RECEIPT_SLACK_MS);
	if (comments_edit(&c, s->dir, err) < 0)
		return -1;
	if (receipts.message && code != ERR_REFUSED)
		set_sent(&c, ids, n, COMMENT_UNSURE, receipts.message);
	else if (code != ERR_UNCONFIRMED && code != ERR_TIMEOUT)
		set_sent(&c, ids, n, COMMENT_UNSURE, 0);
	return comments_save(&c, s->dir, err) < 0 ? -1 : code;
}

static int cmd_review(struct session *s, const struct args *args,
		      struct err *err)
{
	int rc;

	if (args_has(args, "send"))
		rc = send_comments(s, args_has(args, "json"), err);
	else if (args_has(args, "add"))
		rc = add_comment(s, err);
	else if (args_has(args, "resolve") || args_has(args, "delete"))
		rc = end_comments(s, args, err);
	else if (args_has(args, "json"))
		rc = print_json(s, err);
	else
		rc = edit_comments(s, err);
	return rc < 0 ? err_prefix(err, "review '%s'", s->spec.name) : rc;
}

const struct command command_review = {
    .name = "review",
    .usage = "[NAME]",
    .summary = "comment what an agent has changed, in your editor",
    .max_args = 1,
    .options = options,
    .each = cmd_review,
};
