/*
 * messages.c - takes the messages of clients, has the sender deliver them, and
 * records what became of them. The way of a message is in CONTRIBUTING.md.
 */
#include "supervisor/sender/messages.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "session/session.h"
#include "supervisor/harness/harness.h"
#include "supervisor/monitor/monitor.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "supervisor/sender/receipts.h"
#include "supervisor/sender/typist.h"

#define UNHEARD	    "message " /* in state.degraded */
#define UNHEARD_MAX 8

struct messages {
	struct sender_ops ops;
	int64_t task; /* the message that came with the start; 0: none */
};

/* -- events -------------------------------------------------------------- */

/* Keeps at most UNHEARD_MAX of them: removes the oldest. */
static void remove_oldest(struct strv *degraded)
{
	size_t n = 0, first = degraded->n;

	for (size_t i = degraded->n; i-- > 0;)
		if (strncmp(degraded->v[i], UNHEARD, sizeof UNHEARD - 1) == 0) {
			first = i;
			n++;
		}
	if (n < UNHEARD_MAX)
		return;
	strv_drop(degraded, degraded->v[first]);
}

/* Sets how the message's entry in state.degraded begins. */
static void name_message(const struct supervisor *sv, int64_t id,
			 char out[static 40])
{
	if (id == sv->messages->task)
		snprintf(out, 40, "its task: ");
	else
		snprintf(out, 40, UNHEARD "%lld: ", (long long)id);
}

static void op_accepted(void *ctx, int64_t id)
{
	struct supervisor *sv = ctx;
	struct strv *degraded = &sv->state.degraded;
	char name[40];

	name_message(sv, id, name);
	for (size_t i = 0; i < degraded->n; i++)
		if (strncmp(degraded->v[i], name, strlen(name)) == 0) {
			strv_drop(degraded, degraded->v[i]);
			publish_lasting(sv);
			return;
		}
}

/* Records in the state that a message was not delivered, or perhaps not. Its
 * client got the receipt "queued", or sent it with the start, and has
 * disconnected; so another user or command must see it. */
static void report_undelivered(struct supervisor *sv, int64_t id,
			       enum receipt r, const char *detail)
{
	char name[40];

	/* For some harnesses SUBMITTED is the most that can be known. */
	if (receipt_code(r) == ERR_NONE || r == RECEIPT_SUBMITTED ||
	    strcmp(detail, SENDER_CANCELLED) == 0)
		return;
	publish_lasting(sv);
	remove_oldest(&sv->state.degraded);
	name_message(sv, id, name);
	strv_addf(&sv->state.degraded, "%s%s: %s", name, receipt_name(r),
		  detail);
}

static void op_receipt(void *ctx, int64_t id, enum receipt r, bool last,
		       const char *detail)
{
	struct supervisor *sv = ctx;
	cJSON *o = cJSON_CreateObject();

	json_set_int(o, "message", id);
	json_set_str(o, "receipt", receipt_name(r));
	json_set_bool(o, "last", last);
	json_set_str(o, "detail", detail);
	publish_event(sv, "receipt", o);
	if (!receipts_report(sv, id, r, last, detail) && last)
		report_undelivered(sv, id, r, detail);
	if (sv->terminal && (last || r == RECEIPT_SUBMITTED))
		monitor_acted(sv, last ? ACT_SETTLED : ACT_SENT, 0);
	publish_soon(sv);
}

/* -- the part ------------------------------------------------------------ */

static int messages_init(struct supervisor *sv, struct err *err)
{
	struct err unread = {0};

	sv->messages->ops = typist_ops;
	sv->messages->ops.accepted = op_accepted;
	sv->messages->ops.receipt = op_receipt;
	sv->sender =
	    sender_create(sv->adapter, sv->rules, &sv->messages->ops, sv);
	sender_restore(sv->sender, sv->dir, &unread);
	if (unread.kind)
		publish_degraded(sv,
				 "its queue cannot be read; the messages are "
				 "delivered after the next start: %s",
				 unread.what);
	return 0;
}

/* Reports the message as queued, if it is: its client already waits for its
 * receipts. */
static void report_queued(struct supervisor *sv,
			  const struct sender_taken *taken)
{
	if (taken->waits[0])
		op_receipt(sv, taken->id, RECEIPT_QUEUED, false, taken->waits);
}

int64_t messages_send(struct supervisor *sv, const char *text)
{
	struct sender_taken taken;
	struct err err = {0};

	if (sender_submit(sv->sender, text, strlen(text), SENDER_WHEN_IDLE,
			  &taken, &err) == 0) {
		report_queued(sv, &taken);
		return taken.id;
	}
	publish_degraded(sv, "a message was not sent: %s", err.what);
	publish_state(sv, true);
	return 0;
}

void messages_send_task(struct supervisor *sv, const char *text)
{
	sv->messages->task = messages_send(sv, text);
}

static bool messages_type(struct supervisor *sv, bool fresh)
{
	bool again = sender_run(sv->sender, fresh);

	if ((int64_t)sender_queued(sv->sender) != sv->state.queued)
		publish_soon(sv);
	return again;
}

static void messages_verdict(struct supervisor *sv, const struct verdict *was)
{
	/* The process that added a message may be dead. */
	if (!monitor_is_same(&sv->verdict, was))
		sender_queue_changed(sv->sender);
}

static void messages_state(struct supervisor *sv)
{
	if (!sv->sender)
		return; /* init failed before that */
	sv->state.queued = (int64_t)sender_queued(sv->sender);
	sv->state.messages = sender_last(sv->sender);
}

static void messages_end(struct supervisor *sv, const char *reason)
{
	sender_stop(sv->sender, reason);
}

static void messages_finish(struct supervisor *sv)
{
	sender_destroy(sv->sender);
}

/* Reports the agent as waiting if its turn is over and a person has to clear a
 * text that was left in its input field. */
static void messages_refine(struct supervisor *sv, struct verdict *v)
{
	char left[SENDER_DETAIL];

	if (!activity_is_idle(v->activity) ||
	    !sender_has_leftover(sv->sender, left))
		return;
	v->activity = ACTIVITY_WAITING_FOR_INPUT;
	v->source = SOURCE_SCREEN;
	utf8_printable(v->detail, sizeof v->detail, left, strlen(left));
}

void messages_explain(const struct supervisor *sv, cJSON *out)
{
	char left[SENDER_DETAIL], shown[READING_TEXT];

	if (!sv->sender || !sender_has_leftover(sv->sender, left))
		return;
	utf8_printable(shown, sizeof shown, left, strlen(left));
	if (strcmp(sv->verdict.detail, shown) != 0)
		return; /* it waits for something else */
	cJSON_DeleteItemFromObjectCaseSensitive(out, "explanation");
	json_set_str(out, "explanation", shown);
}

/* -- requests ------------------------------------------------------------ */

static unsigned sender_flags(const struct send_request *s)
{
	return (s->raw ? SENDER_RAW : 0) | (s->now ? SENDER_NOW : 0) |
	       (s->when_idle ? SENDER_WHEN_IDLE : 0);
}

/* Sets the command that removes the obstacle as the hint. The sender knows what
 * to do, but not the session's name. */
static int set_hint(const struct supervisor *sv, struct err *err)
{
	char what[64];

	if (sv->question.up)
		return session_hint_answer(&sv->spec, err);
	if (err->kind != ERR_REFUSED || !err->hint[0] || err->hint[0] == '`')
		return -1;
	snprintf(what, sizeof what, "%.60s", err->hint);
	return err_hint(err, "`afw attach %s`, and %s", sv->spec.name, what);
}

static int on_send(struct peer *p, struct request *rq, struct err *err)
{
	const struct send_request *s = &rq->send;
	struct receipt_wait wait = {.seq = rq->seq, .now = s->now};
	struct sender_taken taken = {0};
	unsigned flags = sender_flags(s);

	if (s->wait)
		wait.until = strcmp(s->wait, "turn") == 0 ? AWAITED_TURN
							  : AWAITED_ACCEPTED;
	/* If the agent is not running, only a message for the next start is
	 * accepted. */
	if (!(s->when_idle && wait.until == AWAITED_RECEIPT) &&
	    harness_check_running(p->sv, err) < 0)
		return -1;
	if (p->receipt)
		return err_set(err, ERR_CONFLICT,
			       "this connection waits for a receipt already");
	if (sender_submit(p->sv->sender, s->text, strlen(s->text), flags,
			  &taken, err) < 0)
		return set_hint(p->sv, err);
	wait.id = taken.id;
	wait.dropped = taken.dropped;
	wait.deadline = s->has_timeout_ms ? clock_mono_ms() + s->timeout_ms : 0;
	receipts_await(p, &wait);
	/* The message with the number s->before may be typed by now. */
	if (s->before > 0 &&
	    sender_move(p->sv->sender, taken.id, s->before, &(struct err){0}) ==
		0 &&
	    !sender_stopped(p->sv->sender))
		snprintf(taken.waits, sizeof taken.waits, "before message %lld",
			 (long long)s->before);
	report_queued(p->sv, &taken);
	if (sender_stopped(p->sv->sender))
		publish_state(p->sv,
			      false); /* the last state was written already */
	else
		publish_soon(p->sv);
	return 0;
}

static int on_queue(struct peer *p, struct request *rq, struct err *err)
{
	_json_ cJSON *o = cJSON_CreateObject();

	sender_reread_queue(p->sv->sender);
	if (sender_list(p->sv->sender, json_set_array(o, "messages"), err) < 0)
		return -1;
	json_set_str(o, "waits_for", sender_wait_reason(p->sv->sender));
	peer_reply(p, rq->seq, TAKE_PTR(o));
	return 0;
}

static int on_cancel(struct peer *p, struct request *rq, struct err *err)
{
	if (sender_cancel(p->sv->sender, rq->cancel.message, err) < 0)
		return -1;
	publish_soon(p->sv);
	peer_reply(p, rq->seq, NULL);
	return 0;
}

static int on_move(struct peer *p, struct request *rq, struct err *err)
{
	if (sender_move(p->sv->sender, rq->move.message, rq->move.before, err) <
	    0)
		return -1;
	publish_soon(p->sv);
	peer_reply(p, rq->seq, NULL);
	return 0;
}

static const struct request_handler requests[] = {
    {REQUEST_SEND, on_send},
    {REQUEST_QUEUE, on_queue},
    {REQUEST_CANCEL, on_cancel},
    {REQUEST_MOVE, on_move},
    {0},
};

const struct part messages_part = {
    .own = PART_OWN(messages),
    .init = messages_init,
    .type = messages_type,
    .refine = messages_refine,
    .verdict = messages_verdict,
    .state = messages_state,
    .end = messages_end,
    .finish = messages_finish,
    .requests = requests,
};
