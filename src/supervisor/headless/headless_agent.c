/* headless_agent.c - the harness: lines to its input, text from its output. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/utf8.h"
#include "supervisor/harness/harness.h"
#include "supervisor/headless/headless.h"
#include "supervisor/part.h"

#define CHUNK 16384 /* bytes of output in one event */

/* -- output --------------------------------------------------------------- */

static void send_text(struct headless *h, const char *event, struct buf *text,
		      size_t len)
{
	_json_ cJSON *o = member_event(event);

	member_set_text(o, "data", text->data, len);
	buf_drop(text, len);
	json_lines_write(&h->lines, o);
}

/* all: also send an incomplete character at the end. */
static void send_output(struct headless *h, const char *event, struct buf *text,
			bool all)
{
	size_t len;

	do {
		len = text->len < CHUNK ? text->len : CHUNK;
		if (!all || len < text->len)
			len = utf8_whole(text->data, len);
		if (len)
			send_text(h, event, text, len);
	} while (len && text->len);
}

static void agent_output(struct supervisor *sv, const char *data, size_t len)
{
	buf_add(&sv->headless->out, data, len);
	send_output(sv->headless, "agent:stdout", &sv->headless->out, false);
}

static void on_errors(struct supervisor *sv, const char *data, size_t len)
{
	buf_add(&sv->headless->errors, data, len);
	send_output(sv->headless, "agent:stderr", &sv->headless->errors, false);
}

static void agent_end(struct supervisor *sv, const char *reason)
{
	struct headless *h = sv->headless;

	send_output(h, "agent:stdout", &h->out, true);
	send_output(h, "agent:stderr", &h->errors, true);
}

/* -- requests -------------------------------------------------------------- */

static void close_input_if_taken(struct supervisor *sv)
{
	if (sv->headless->input_ends && sv->terminal && !harness_unread(sv))
		sv->backend->close_input(sv->terminal);
}

void headless_add_line(struct buf *lines, const char *text)
{
	buf_adds(lines, text);
	if (!text[0] || text[strlen(text) - 1] != '\n')
		buf_addc(lines, '\n');
}

void headless_flush_chat(struct headless *h)
{
	if (h->early.len)
		harness_write(h->sv, h->early.data, h->early.len);
	if (h->early.len)
		explicit_bzero(h->early.data, h->early.len);
	buf_clear(&h->early);
	close_input_if_taken(h->sv);
}

static int on_chat(struct peer *p, struct request *rq, struct err *err)
{
	struct supervisor *sv = p->sv;
	struct headless *h = sv->headless;
	const char *text = rq->stdio_chat.text;
	bool eof = rq->stdio_chat.eof;
	size_t len = text ? strlen(text) : 0, waiting;

	if (!text && !eof)
		return err_set(err, ERR_USAGE, "chat: text is missing");
	if ((!sv->terminal && !h->starting) || sv->end->exited)
		return err_set(err, ERR_NOT_RUNNING, "chat: no agent runs");
	if (h->input_ends)
		return err_set(err, ERR_NOT_RUNNING,
			       "chat: the agent's standard input is closed");
	waiting = h->early.len + harness_unread(sv);
	if (waiting + len >= JSON_LINES_IN_MAX)
		return err_set(err, ERR_LIMIT,
			       "chat: the agent has not read %zu bytes yet",
			       waiting);
	if (text)
		headless_add_line(&h->early, text);
	h->input_ends = eof;
	if (sv->terminal)
		headless_flush_chat(h);
	return 0;
}

/* The agent has closed its input or is gone. */
static void on_untaken(struct supervisor *sv, size_t len, const char *why,
		       bool maybe)
{
	struct err err;

	sv->headless->input_ends = true;
	err_set(&err, ERR_FAILED, "chat: %s, %zu bytes were not read", why,
		len);
	member_send_error(sv->headless, NULL, &err);
}

static void agent_finish(struct supervisor *sv)
{
	struct headless *h = sv->headless;

	strv_finish(&h->env);
	buf_finish(&h->out);
	buf_finish(&h->errors);
	buf_finish(&h->early);
	free(h->dir);
}

static const struct request_handler requests[] = {
    {REQUEST_STDIO_CHAT, on_chat},
    {0},
};

const struct part agent_part = {
    .output = agent_output,
    .errors = on_errors,
    .taken = close_input_if_taken,
    .untaken = on_untaken,
    .end = agent_end,
    .requests = requests,
    .finish = agent_finish,
};
