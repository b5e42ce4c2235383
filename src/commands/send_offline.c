/*
 * send_offline.c - messages for sessions that are not running.
 *
 * The holder of the session's lock may write its queue: this command, if no
 * supervisor is running. The session may start between the check and taking the
 * lock, and stop between the check and the connection; it is then checked
 * again. A message that a supervisor has received is never stored as well.
 */
#include "commands/send_offline.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "session/disk/event_log.h"
#include "session/disk/lock.h"
#include "session/disk/queue.h"
#include "session/live/processes.h"
#include "session/typable.h"

#define AGAIN_MS 50

struct keep {
	const struct session_list *list;
	const struct request *request;
	broadcast_fn fn;
	void *ctx;
	struct buf text; /* without untypable characters */
	size_t dropped;
	bool *pending;	  /* for each session of list */
	struct err *last; /* for each of list: why it is still pending */
	/* for each session of the broadcast: its index in list */
	size_t *asked;
};

static void log_queued(const char *session_dir, int64_t id)
{
	cJSON *o = cJSON_CreateObject();

	json_set_int(o, "message", id);
	json_set_str(o, "receipt", "queued");
	json_set_bool(o, "last", false);
	json_set_str(o, "detail", "it waits for the next start");
	events_append(session_dir, "receipt", o, NULL);
}

int64_t send_offline_add(const char *session_dir, const struct buf *text,
			 unsigned flags, struct err *err)
{
	struct queued m = {.id = queue_number(session_dir, err),
			   .at = clock_wall_ms(),
			   .text = text->data,
			   .len = text->len,
			   .flags = flags};

	if (m.id < 0 || queue_add(session_dir, &m, err) < 0)
		return -1;
	log_queued(session_dir, m.id);
	return m.id;
}

static int store_message(const struct keep *k, size_t i,
			 const struct session *s, struct err *err)
{
	unsigned flags = 0;
	int lock;
	int64_t id;
	cJSON *o;

	if (k->request->send.raw) {
		if (process_check_user(process_supervisor(getpid()), err) < 0)
			return -1;
		flags |= QUEUE_RAW;
	}
	if (k->request->send.now)
		flags |= QUEUE_NOW;

	if (s->broken || (!s->spec.worktree && !s->spec.after))
		return err_set(
		    err, ERR_NOT_RUNNING, "session '%s' cannot be started: %s",
		    s->spec.name,
		    s->broken ? s->state.error_reason : "it has no worktree");
	if (typable_blank(k->text.data, k->text.len))
		return err_set(err, ERR_USAGE,
			       "nothing to send: the message has only control "
			       "or invalid bytes (%zu)",
			       k->dropped);
	lock = lock_acquire(s->dir, err);
	if (lock < 0)
		return -1;
	id = send_offline_add(s->dir, &k->text, flags, err);
	close(lock);
	if (id < 0)
		return -1;
	o = cJSON_CreateObject();
	json_set_int(o, "message", id);
	json_set_str(o, "receipt", "queued");
	json_set_int(o, "code", 0);
	json_set_str(o, "detail", "it waits for the next start");
	json_set_str(o, "waits_for", "start");
	json_set_int(o, "dropped", (int64_t)k->dropped);
	k->fn(k->ctx, i, o, NULL);
	cJSON_Delete(o);
	return 0;
}

static void report_reply(struct keep *k, size_t i, const cJSON *reply,
			 const struct err *err)
{
	k->pending[i] = false;
	k->fn(k->ctx, i, reply, err);
}

static void on_answer(void *ctx, size_t n, const cJSON *reply,
		      const struct err *err)
{
	struct keep *k = ctx;
	size_t i = k->asked[n];

	if (!reply && err->kind == ERR_NOT_RUNNING)
		k->last[i] = *err; /* it did not receive the message */
	else
		report_reply(k, i, reply, err);
}

/* Tries all pending sessions once; returns how many are still pending. */
static size_t try_pending(struct keep *k, int64_t timeout_ms)
{
	size_t n = k->list->n, left = 0;
	struct session_list alive = {.v = mem_alloc(n * sizeof *alive.v)};

	for (size_t i = 0; i < n; i++) {
		struct session s;
		struct err err = {0};

		if (!k->pending[i])
			continue;
		if (session_load(&s, k->list->v[i].spec.id, &err) < 0) {
			report_reply(k, i, NULL, &err);
			continue;
		}
		if (s.alive) {
			k->asked[alive.n] = i;
			alive.v[alive.n++] = s;
			continue;
		}
		if (store_message(k, i, &s, &err) == 0)
			k->pending[i] = false;
		else if (err.kind == ERR_CONFLICT)
			k->last[i] = err;
		else
			report_reply(k, i, NULL, &err);
		session_finish(&s);
	}
	if (alive.n)
		broadcast(&alive, k->request, timeout_ms, on_answer, k);
	session_list_finish(&alive);
	for (size_t i = 0; i < n; i++)
		left += k->pending[i];
	return left;
}

void send_offline_broadcast(const struct session_list *l,
			    const struct request *rq, int64_t timeout_ms,
			    broadcast_fn fn, void *ctx)
{
	const char *text = rq->send.text;
	struct keep k = {
	    .list = l,
	    .request = rq,
	    .fn = fn,
	    .ctx = ctx,
	    .pending = mem_alloc(l->n * sizeof *k.pending),
	    .last = mem_alloc(l->n * sizeof *k.last),
	    .asked = mem_alloc(l->n * sizeof *k.asked),
	};
	int64_t until = clock_mono_ms() + SEND_OFFLINE_WAIT_MS;

	k.dropped = typable_filter(text, strlen(text), &k.text);
	memset(k.pending, true, l->n * sizeof *k.pending);
	while (try_pending(&k, timeout_ms) > 0 && clock_mono_ms() < until)
		poll(NULL, 0, AGAIN_MS);
	for (size_t i = 0; i < l->n; i++)
		if (k.pending[i])
			report_reply(&k, i, NULL, &k.last[i]);
	buf_finish(&k.text);
	free(k.pending);
	free(k.last);
	free(k.asked);
}
