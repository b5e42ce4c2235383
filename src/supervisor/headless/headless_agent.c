/* headless_agent.c - the harness: its start, its lines in, its text out. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/json.h"
#include "base/utf8.h"
#include "supervisor/harness/harness.h"
#include "supervisor/headless/headless.h"
#include "supervisor/part.h"

#define CHUNK 16384 /* bytes of output in one event */

/* -- text out -------------------------------------------------------------- */

static void put_text(struct headless *h, const char *event, struct buf *text,
		     size_t len)
{
	_json_ cJSON *o = member_event(event);

	member_set_text(o, "data", text->data, len);
	buf_drop(text, len);
	json_lines_put(&h->lines, o);
}

/* all: also the beginning of a character. */
static void put_output(struct headless *h, const char *event, struct buf *text,
		       bool all)
{
	size_t len;

	do {
		len = text->len < CHUNK ? text->len : CHUNK;
		if (!all || len < text->len)
			len = utf8_whole(text->data, len);
		if (len)
			put_text(h, event, text, len);
	} while (len && text->len);
}

static void on_output(struct supervisor *sv, const char *data, size_t len)
{
	buf_add(&sv->headless->out, data, len);
	put_output(sv->headless, "agent:stdout", &sv->headless->out, false);
}

static void on_errors(struct supervisor *sv, const char *data, size_t len)
{
	buf_add(&sv->headless->errors, data, len);
	put_output(sv->headless, "agent:stderr", &sv->headless->errors, false);
}

static void end(struct supervisor *sv, const char *reason)
{
	struct headless *h = sv->headless;

	put_output(h, "agent:stdout", &h->out, true);
	put_output(h, "agent:stderr", &h->errors, true);
}

/* -- requests -------------------------------------------------------------- */

/* Ours, and on top of it the request's. */
static int take_env(const cJSON *rq, const char *dir, struct strv *shown,
		    struct strv *secret, struct err *err)
{
	_strv_ struct strv given = {0}, hidden = {0};
	int rc = member_list(rq, "env", true, &given, err);

	if (rc == 0)
		rc = member_list(rq, "secrets", true, &hidden, err);
	for (char **e = environ; *e; e++)
		strv_add(shown, *e);
	env_set(shown, "PWD", dir);
	for (size_t i = 0; i < given.n; i++)
		env_put(shown, given.v[i]);
	strv_copy(secret, shown);
	for (size_t i = 0; i < hidden.n; i++)
		env_put(secret, hidden.v[i]);
	/* From here on the strings are all there is of it. */
	json_wipe(cJSON_GetObjectItemCaseSensitive(rq, "env"));
	json_wipe(cJSON_GetObjectItemCaseSensitive(rq, "secrets"));
	return rc;
}

static int on_start(struct peer *p, const cJSON *rq, int64_t seq,
		    struct err *err)
{
	struct supervisor *sv = p->sv;
	struct headless *h = sv->headless;
	_strv_ struct strv argv = {0}, env = {0}, secret = {0};
	_free_ char *dir = realpath(json_str_or(rq, "dir", "."), NULL);
	int64_t grace;
	bool resumed;

	if (h->started || sv->kill_at)
		return err_set(err, ERR_CONFLICT, "start: %s",
			       sv->kill_at
				   ? "this process is ending"
				   : "the agent has been started already");
	if (!dir)
		return err_errno(err, "start: dir");
	if (member_argv(rq, "start", &argv, err) < 0 ||
	    member_ms(rq, "stop_timeout_ms", HEADLESS_GRACE_MS, 0,
		      HEADLESS_GRACE_MS_MAX, &grace, err) < 0 ||
	    take_env(rq, dir, &env, &secret, err) < 0 ||
	    harness_launch_command(sv, &argv, &secret, dir, err) < 0)
		return -1;
	h->started = true;
	sv->spec.stop_timeout_ms = grace;
	strv_copy(&h->env, &env);
	h->dir = TAKE_PTR(dir);
	publish_phase(sv, PHASE_STARTING, NULL);
	harness_release(sv, &(struct harness_start){0}, &resumed);
	return 0;
}

static void close_input_if_taken(struct supervisor *sv)
{
	if (sv->headless->input_ends && sv->terminal && !sv->input.len)
		sv->backend->close_input(sv->terminal);
}

static int on_chat(struct peer *p, const cJSON *rq, int64_t seq,
		   struct err *err)
{
	struct supervisor *sv = p->sv;
	struct headless *h = sv->headless;
	const char *text = json_str(rq, "text");
	bool eof = json_bool(rq, "eof", false);
	size_t len = text ? strlen(text) : 0;

	if (!text && !eof)
		return err_set(err, ERR_USAGE, "chat: text is not a string");
	if (!sv->terminal || sv->exited)
		return err_set(err, ERR_NOT_RUNNING, "chat: no agent runs");
	if (h->input_ends)
		return err_set(err, ERR_NOT_RUNNING,
			       "chat: the agent's standard input is closed");
	if (sv->input.len + len >= JSON_LINES_IN_MAX)
		return err_set(err, ERR_LIMIT,
			       "chat: the agent has not read %zu bytes yet",
			       sv->input.len);
	if (text)
		harness_write(sv, text, len);
	if (text && (!len || text[len - 1] != '\n'))
		harness_write(sv, "\n", 1);
	h->input_ends = eof;
	close_input_if_taken(sv);
	return 0;
}

/* It has closed its input, or is gone. */
static void on_untaken(struct supervisor *sv, size_t len, const char *why,
		       bool maybe)
{
	struct err err;

	sv->headless->input_ends = true;
	err_set(&err, ERR_FAILED, "chat: %s, %zu bytes were not read", why,
		len);
	member_refuse(sv->headless, NULL, &err);
}

static void finish(struct supervisor *sv)
{
	struct headless *h = sv->headless;

	strv_finish(&h->env);
	buf_finish(&h->out);
	buf_finish(&h->errors);
	free(h->dir);
}

static const struct request requests[] = {
    {"chat", REQUEST_ANY, on_chat},
    {"start", REQUEST_ANY, on_start},
    {0},
};

const struct part agent_part = {
    .output = on_output,
    .errors = on_errors,
    .taken = close_input_if_taken,
    .untaken = on_untaken,
    .end = end,
    .requests = requests,
    .finish = finish,
};
