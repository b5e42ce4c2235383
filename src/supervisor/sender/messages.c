/*
 * messages.c - takes the messages of clients, has the sender deliver them, and
 * answers the clients. The way of a message is in CONTRIBUTING.md.
 *
 * A turn is over when the verdict is idle after work was seen, or after a hook
 * reported the end of the turn. If nothing was seen of the turn at all, it is
 * over when idle has lasted. A message that was sent into a busy harness
 * becomes part of that turn or starts a turn of its own directly after it: the
 * first end belongs to the message only if no turn begins then.
 */
#include "supervisor/sender/messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "session/session.h"
#include "supervisor/harness/harness.h"
#include "supervisor/monitor/conversation.h"
#include "supervisor/monitor/monitor.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "supervisor/sender/typist.h"

/* How long after the first idle verdict the turn may still be seen, or its
 * answer in the harness's files, or the turn of a message that was sent into
 * the turn before (Claude Code, at a load of 16, more than a second later). */
#define REST_MS	 3000
#define AGAIN_MS 100

#define UNHEARD	    "message " /* in state.degraded */
#define UNHEARD_MAX 8

struct messages {
	struct sender_ops ops;
	struct loop_timer *waits;
	int64_t task; /* the message that came with the start; 0: none */
};

static void end_wait(struct peer *p)
{
	free(p->receipt);
	p->receipt = NULL;
}

/* turn: how it ended; NULL if the client did not wait for a turn, or there was
 * none. */
static void reply(struct peer *p, enum err_kind code, const char *turn)
{
	struct receipt_wait *w = p->receipt;
	cJSON *o = cJSON_CreateObject();
	struct buf answer = {0};

	json_set_int(o, "message", w->id);
	json_set_text(o, "receipt",
		      w->receipt < 0 ? NULL
				     : receipt_name((enum receipt)w->receipt));
	json_set_int(o, "code", code);
	json_set_str(o, "detail", w->detail);
	if (w->receipt == RECEIPT_QUEUED && sender_stopped(p->sv->sender))
		json_set_str(o, "waits_for", "start");
	json_set_int(o, "dropped", (int64_t)w->dropped);
	json_set_str(o, "turn", turn);
	if (turn && code == ERR_NONE &&
	    conversation_answer(p->sv, w->typed_at, &answer))
		json_set_str(o, "answer", answer.data);
	buf_finish(&answer);
	/* A command after this one, such as wait, must not see an older state.
	 */
	publish_now(p->sv);
	peer_reply(p, w->seq, o);
	end_wait(p);
}

static void set_detail(struct receipt_wait *w, const char *detail)
{
	snprintf(w->detail, sizeof w->detail, "%s", detail);
}

/* -- the turn ------------------------------------------------------------ */

static bool is_idle(const struct verdict *v)
{
	return activity_is_idle(v->activity) && !v->hooks_running;
}

/* The harness is idle: stores how the turn ended, as far as is known by now. */
static void set_end(struct receipt_wait *w, const struct verdict *v)
{
	if (w->settled)
		return;
	if (w->failed || w->interrupted)
		set_detail(w, "");
	w->failed = v->failed;
	w->interrupted = v->activity == ACTIVITY_IDLE &&
			 strcmp(v->detail, "interrupted") == 0;
	if (w->failed || w->interrupted)
		set_detail(w, v->detail);
}

static void end_turn(struct peer *p)
{
	struct receipt_wait *w = p->receipt;

	reply(p, w->failed || w->interrupted ? ERR_FAILED : ERR_NONE,
	      w->interrupted ? "interrupted"
	      : w->failed    ? "failed"
			     : "completed");
}

/* The turn is over. Returns whether something may still follow: its answer in
 * the harness's files, a failure's reason on the screen, a turn of its own. */
static bool must_wait_longer(struct peer *p, int64_t now)
{
	struct receipt_wait *w = p->receipt;
	struct supervisor *sv = p->sv;
	struct buf answer = {0};
	int64_t rested;
	bool known;

	if (w->ended_at == 0)
		w->ended_at = now;
	rested = now - w->ended_at;
	if (w->now && rested < REST_MS)
		return true;
	/* Some hooks report the end, and only the screen shows a failure. */
	if (sv->verdict.may_fail)
		return true;
	if (rested >= REST_MS || sv->adapter->record == NULL ||
	    (conversation_unanswered(sv) && !w->failed))
		return false;
	known = w->failed ? w->detail[0] != '\0'
			  : conversation_answer(sv, w->typed_at, &answer);
	buf_finish(&answer);
	return !known;
}

static void check_turn(struct peer *p, int64_t now)
{
	const struct verdict *v = &p->sv->verdict;
	struct receipt_wait *w = p->receipt;

	if (w->ended_at != 0 && w->now && !w->settled && !is_idle(v)) {
		w->now = false; /* that was the turn that it was sent into */
		w->ended_at = 0;
		w->failed = w->interrupted = false;
		w->worked = true;
		w->typed_at = clock_wall_ms(); /* its answer is newer */
	} else if (w->ended_at != 0 && !is_idle(v)) {
		end_turn(p); /* the next turn began */
	} else if (v->hook_may_answer || p->sv->question.by_rule) {
		w->worked = true; /* another hook, or a rule, may answer */
	} else if (v->activity == ACTIVITY_WAITING_FOR_INPUT || v->question) {
		set_detail(w, v->detail);
		reply(p, ERR_REFUSED, "asks");
	} else if (!is_idle(v)) {
		w->worked = true;
	} else if (w->worked || now - w->taken_at >= REST_MS) {
		set_end(w, v);
		if (!must_wait_longer(p, now))
			end_turn(p);
	}
}

/* The message is queued until a person acts: as with a question during a turn,
 * the client does not wait for that. */
static void check_queue(struct peer *p)
{
	struct receipt_wait *w = p->receipt;

	if (w->until != AWAITED_TURN || w->receipt != RECEIPT_QUEUED ||
	    !sender_needs_person(p->sv->sender))
		return;
	set_detail(w, sender_wait_reason(p->sv->sender));
	reply(p, ERR_REFUSED, "waits");
}

static void set_earlier(int64_t *next, int64_t at)
{
	if (at && (!*next || at < *next))
		*next = at;
}

static void check_waits(void *ctx)
{
	struct supervisor *sv = ctx;
	int64_t now = clock_mono_ms(), next = 0;

	for (struct peer *p = sv->peers; p; p = p->next) {
		struct receipt_wait *w = p->receipt;

		if (w && w->taken)
			check_turn(p, now);
		else if (w)
			check_queue(p);
		w = p->receipt;
		if (w && w->deadline && now >= w->deadline)
			reply(p, ERR_TIMEOUT, w->taken ? "working" : NULL);
		w = p->receipt;
		if (!w)
			continue;
		set_earlier(&next, w->deadline);
		if (w->taken && !w->worked)
			set_earlier(&next, w->taken_at + REST_MS);
		if (w->ended_at)
			set_earlier(&next, now + AGAIN_MS);
	}
	if (next)
		loop_timer_set(sv->messages->waits,
			       next > now ? next - now : 0);
	else
		loop_timer_stop(sv->messages->waits);
}

/* -- events -------------------------------------------------------------- */

void messages_add_wait(struct peer *p, const struct receipt_wait *w)
{
	p->receipt = mem_alloc(sizeof *p->receipt);
	*p->receipt = *w;
	p->receipt->receipt = -1;
	check_waits(p->sv);
}

/* Reports it to the clients that wait; returns whether one waited for this
 * message. */
static bool tell_clients(struct supervisor *sv, int64_t id, enum receipt r,
			 bool last, const char *detail)
{
	bool awaited = false;

	for (struct peer *p = sv->peers; p; p = p->next) {
		struct receipt_wait *w = p->receipt;

		if (w && w->id != id && r == RECEIPT_SUBMITTED &&
		    w->ended_at != 0)
			w->settled = true;
		if (!w || w->id != id)
			continue;
		awaited |= !p->dead && !p->broken;
		w->receipt = (int)r;
		set_detail(w, detail);
		if (r != RECEIPT_QUEUED && !w->typed_at)
			w->typed_at = clock_wall_ms();
		if (last && r == RECEIPT_ACCEPTED && w->until == AWAITED_TURN) {
			w->taken = true;
			w->taken_at = clock_mono_ms();
			loop_timer_set_earlier(sv->messages->waits, REST_MS);
		} else if (last || (r == RECEIPT_QUEUED &&
				    w->until == AWAITED_RECEIPT)) {
			reply(p, receipt_code(r), NULL);
		}
	}
	return awaited;
}

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
	if (!tell_clients(sv, id, r, last, detail) && last)
		report_undelivered(sv, id, r, detail);
	if (sv->terminal && (last || r == RECEIPT_SUBMITTED))
		monitor_acted(sv, last ? ACT_SETTLED : ACT_SENT, 0);
	publish_soon(sv);
}

/* -- the part ------------------------------------------------------------ */

static int messages_init(struct supervisor *sv, struct err *err)
{
	struct err unread = {0};

	sv->messages->waits = loop_timer_add(sv->loop, check_waits, sv);
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

static void messages_reading(struct supervisor *sv, const struct reading *r)
{
	for (struct peer *p = sv->peers; p && r->turn_ended; p = p->next)
		if (p->receipt && p->receipt->taken)
			p->receipt->worked = true;
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
	check_waits(sv);
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
	for (struct peer *p = sv->peers; p; p = p->next) {
		if (!p->receipt)
			continue;
		/* A stored message has a more precise detail. */
		if (p->receipt->receipt != RECEIPT_QUEUED)
			set_detail(p->receipt, reason);
		reply(p, ERR_NOT_RUNNING, p->receipt->taken ? "lost" : NULL);
	}
}

static void messages_closed(struct supervisor *sv, struct peer *p)
{
	end_wait(p);
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
	messages_add_wait(p, &wait);
	/* It may be typed by now. In front, the sender says what it waits for.
	 */
	if (s->before > 0 &&
	    sender_move(p->sv->sender, taken.id, s->before, &(struct err){0}) ==
		0 &&
	    !sender_stopped(p->sv->sender))
		taken.waits[0] = '\0';
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
    .reading = messages_reading,
    .type = messages_type,
    .refine = messages_refine,
    .verdict = messages_verdict,
    .state = messages_state,
    .end = messages_end,
    .closed = messages_closed,
    .finish = messages_finish,
    .requests = requests,
};
