/*
 * send.c - afw send: one message to the agent, and how far it came.
 *
 * The text goes to the supervisor as it is; what a terminal would obey is
 * taken out there, and told here. JSON has no other bytes than UTF-8's, so
 * invalid ones are taken out (and counted) before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "commands/connect.h"
#include "commands/message.h"
#include "commands/output.h"

#define SEND_TIMEOUT_MS 60000

static const struct command_option options[] = {
    {.name = "file",
     .letter = 'F',
     .arg = "FILE",
     .help = "the message is in FILE (-: standard input)"},
    {.name = "raw", .help = "no guard before /, !, @: as if typed"},
    {.name = "now", .help = "into the busy agent too, not into the queue"},
    {.name = "wait",
     .letter = 'w',
     .help = "until it was taken, also where it has to queue"},
    {.name = "timeout",
     .letter = 't',
     .arg = "TIME",
     .help = "wait so long for the receipt; default 60s"},
    {.name = "json", .help = "the receipt as one object"},
    {.name = NULL},
};

/* The words behind the name, or those behind "--", with spaces between. */
static void join_words(struct buf *text, const struct args *args)
{
	for (size_t i = 1; i < args->n; i++)
		buf_addf(text, "%s%s", text->len ? " " : "",
			 args->positional[i]);
	for (size_t i = 0; i < args->n_rest; i++)
		buf_addf(text, "%s%s", text->len ? " " : "", args->rest[i]);
}

/* Only UTF-8 and no NUL goes into JSON. Returns the bytes left out. */
static size_t keep_utf8(struct buf *text)
{
	struct buf good = {0};
	size_t dropped = 0;
	uint32_t cp;

	for (size_t i = 0; i < text->len;) {
		size_t n = utf8_decode(text->data + i, text->len - i, &cp);

		if (n && cp)
			buf_add(&good, text->data + i, n);
		else
			dropped++;
		i += n ? n : 1;
	}
	buf_finish(text);
	*text = good;
	return dropped;
}

static int read_text(struct buf *text, const struct args *args, struct err *err)
{
	const char *file = args_value(args, "file");

	if (file && (args->n > 1 || args->n_rest))
		return err_set(err, ERR_USAGE,
			       "send: either --file or a text, not both");
	if (!file)
		join_words(text, args);
	if (message_read(file ? NULL : "", file, text, err) < 0)
		return err_prefix(err, "send");
	/* A file's last line end is not part of the message. */
	while (file && text->len && strchr("\r\n", text->data[text->len - 1]))
		text->data[--text->len] = '\0';
	if (text->len && strspn(text->data, " \t\r\n") < text->len)
		return 0;
	err_set(err, ERR_USAGE, "send: the message is empty");
	return err_hint(err, "usage: afw send %s", args->command->usage);
}

static const struct {
	const char *receipt, *words;
	int code;
} receipts[] = {
    {"queued", "queued: it goes in when the agent has finished its turn", 0},
    {"accepted", "accepted", 0},
    {"submitted",
     "submitted, but this agent has no way to confirm that it took it",
     ERR_UNCONFIRMED},
    {"pasted", "pasted, but not submitted", ERR_UNCONFIRMED},
    {"unconfirmed", "unconfirmed", ERR_UNCONFIRMED},
    {"refused", "refused", ERR_REFUSED},
    {"failed", "failed", ERR_FAILED},
};

static int say(const struct session *s, cJSON *reply, bool json)
{
	const char *receipt = json_str_or(reply, "receipt", "?");
	const char *detail = json_str_or(reply, "detail", "");
	int code = ERR_UNCONFIRMED;
	const char *words = receipt;
	struct buf out = {0};

	for (size_t i = 0; i < sizeof receipts / sizeof receipts[0]; i++)
		if (strcmp(receipt, receipts[i].receipt) == 0) {
			code = receipts[i].code;
			words = receipts[i].words;
		}
	code = (int)json_int(reply, "code", code);
	if (json) {
		cJSON_DeleteItemFromObjectCaseSensitive(reply, "ok");
		cJSON_DeleteItemFromObjectCaseSensitive(reply, "seq");
		json_set_str(reply, "name", s->spec.name);
		output_json(cJSON_Duplicate(reply, 1));
		return code;
	}
	output_text(&out, words, -1);
	if (detail[0]) {
		buf_adds(&out, " (");
		output_text(&out, detail, -1);
		buf_addc(&out, ')');
	}
	fflush(stdout);
	fprintf(code ? stderr : stdout, "%s%s: %s\n", code ? "afw: " : "",
		s->spec.name, out.data);
	buf_finish(&out);
	return code;
}

static cJSON *request_of(const struct args *args, const struct buf *text)
{
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "text", text->data ? text->data : "");
	if (args_has(args, "raw"))
		json_set_bool(o, "raw", true);
	if (args_has(args, "now"))
		json_set_bool(o, "now", true);
	if (args_has(args, "wait"))
		json_set_str(o, "wait", "accepted");
	return o;
}

static int deliver(const struct args *args, const struct buf *text,
		   size_t dropped, int64_t timeout_ms, struct err *err)
{
	struct session s;
	struct client *c = connect_name(&s, args->positional[0], err);
	cJSON *reply;
	int rc = -1;

	if (!c)
		return -1;
	reply = connect_ask(c, "send", request_of(args, text), timeout_ms, err);
	client_destroy(c);
	if (!reply) {
		/* It was handed over: whether it arrived nobody knows. */
		if (err->kind == ERR_TIMEOUT) {
			err_set(err, ERR_TIMEOUT,
				"no receipt within %lld ms; the message may "
				"still be delivered",
				(long long)timeout_ms);
			err_hint(err,
				 "look with `afw capture %s` before you "
				 "send it again",
				 s.spec.name);
		}
		err_prefix(err, "send to '%s'", s.spec.name);
		goto out;
	}
	dropped += (size_t)json_int(reply, "dropped", 0);
	if (dropped)
		output_warn("%zu byte%s that a terminal would obey %s left out",
			    dropped, dropped == 1 ? "" : "s",
			    dropped == 1 ? "was" : "were");
	json_set_int(reply, "dropped", (int64_t)dropped);
	rc = say(&s, reply, args_has(args, "json"));
out:
	cJSON_Delete(reply);
	session_finish(&s);
	return rc;
}

static int run(const struct args *args, struct err *err)
{
	struct buf text = {0};
	long long timeout;
	size_t dropped;
	int rc = -1;

	if (args_duration_ms(args, "timeout", SEND_TIMEOUT_MS, &timeout, err) <
		0 ||
	    read_text(&text, args, err) < 0)
		goto out;
	dropped = keep_utf8(&text);
	if (text.len == 0)
		err_set(err, ERR_USAGE,
			"send: nothing of the message is text (UTF-8)");
	else
		rc = deliver(args, &text, dropped, timeout, err);
out:
	buf_finish(&text);
	return rc;
}

const struct command command_send = {
    .name = "send",
    .usage = "NAME TEXT... | NAME -F FILE | NAME -- TEXT...",
    .summary = "send the agent a message, and say how far it came",
    .completes = "session",
    .min_args = 1,
    .max_args = -1,
    .rest = true,
    .options = options,
    .run = run,
};
