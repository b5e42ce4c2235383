/*
 * post.c - connects the sender to its supervisor. The way of a message:
 *
 *   peer.c             reads a frame of the control socket: a request
 *   request.c          finds the part that runs it, and checks the client
 *   receipts.c         "send": calls the sender; the client waits here
 *   sender_submit.c    refuses the message, begins it, or stores it as a file
 *   sender_queue.c     picks the next file, and limits how long it may wait
 *   sender_composer.c  checks the screen and the verdict: may it type now?
 *   sender_type.c      paste, echo, Enter: bytes go to op_write()
 *   harness_io.c       writes them to the terminal, passes output to all parts
 *   monitor.c          reads the screen, updates readings and verdict
 *   sender_confirm.c   finds out whether the harness accepted it
 *   op_receipt()       reports how far it came, to the history and all parts:
 *                      receipts.c answers the client
 *
 * refine() reports the agent as waiting while a text is left in its composer.
 */
#include "supervisor/sender/post.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/utf8.h"
#include "supervisor/harness/harness.h"
#include "supervisor/monitor/monitor.h"
#include "supervisor/part.h"

#define UNHEARD	    "message " /* in state.degraded */
#define UNHEARD_MAX 8

struct post {
	struct loop_timer *timer;
	int64_t task; /* the message that came with the start; 0: none */
};

static size_t op_write(void *ctx, const char *data, size_t len)
{
	return harness_write(ctx, data, len);
}

static size_t op_backlog(void *ctx)
{
	struct supervisor *sv = ctx;

	return sv->input.len;
}

static void op_refresh(void *ctx)
{
	struct supervisor *sv = ctx;

	monitor_refresh(sv);
}

static void op_view(void *ctx, struct screen_view *out)
{
	struct supervisor *sv = ctx;

	observer_view(&sv->observer, out);
}

static void op_verdict(void *ctx, struct verdict *out)
{
	struct supervisor *sv = ctx;

	activity_verdict(sv->activity, clock_mono_ms(), out);
}

static bool op_tty(void *ctx, bool *canonical, bool *echo)
{
	struct supervisor *sv = ctx;
	struct terminal_tty tty;

	if (!sv->terminal || sv->backend->tty(sv->terminal, &tty) < 0)
		return false;
	*canonical = tty.canonical;
	*echo = tty.echo;
	return true;
}

static int op_query_typed(void *ctx)
{
	struct supervisor *sv = ctx;

	if (!sv->terminal || !sv->backend->query_typed)
		return 0;
	if (sv->backend->query_typed(sv->terminal) == 0)
		return 1;
	return -1;
}

static bool hold_enter(struct supervisor *sv, bool first)
{
	bool held = false;

	EACH_PART (p, sv)
		if ((*p)->hold_enter)
			held |= (*p)->hold_enter(sv, first);
	return held;
}

static void op_before_enter(void *ctx)
{
	hold_enter(ctx, true);
}

static bool op_holds_enter(void *ctx)
{
	return hold_enter(ctx, false);
}

static int64_t op_now(void *ctx)
{
	return clock_mono_ms();
}

static void op_timer(void *ctx, int64_t delay_ms)
{
	struct supervisor *sv = ctx;

	if (delay_ms < 0)
		loop_timer_stop(sv->post->timer);
	else
		loop_timer_set(sv->post->timer, delay_ms);
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
	if (id == sv->post->task)
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
	bool told = false;

	json_set_int(o, "message", id);
	json_set_str(o, "receipt", receipt_name(r));
	json_set_bool(o, "last", last);
	json_set_str(o, "detail", detail);
	publish_event(sv, "receipt", o);
	EACH_PART (p, sv)
		if ((*p)->receipt)
			told |= (*p)->receipt(sv, id, r, last, detail);
	if (last && !told)
		report_undelivered(sv, id, r, detail);
	if (sv->terminal && (last || r == RECEIPT_SUBMITTED))
		monitor_acted(sv, last ? ACT_SETTLED : ACT_SENT, 0);
	publish_soon(sv);
}

static const struct sender_ops ops = {
    .write = op_write,
    .backlog = op_backlog,
    .refresh = op_refresh,
    .view = op_view,
    .verdict = op_verdict,
    .tty = op_tty,
    .query_typed = op_query_typed,
    .before_enter = op_before_enter,
    .holds_enter = op_holds_enter,
    .now = op_now,
    .timer = op_timer,
    .accepted = op_accepted,
    .receipt = op_receipt,
};

static void on_sender_timer(void *ctx)
{
	struct supervisor *sv = ctx;

	if (!sv->terminal)
		return; /* stored messages wait for the start */
	sender_timer(sv->sender);
	/* A message may need a person now; or other keys may pass again. */
	monitor_update(sv);
}

/* -- the part ------------------------------------------------------------ */

static int init(struct supervisor *sv, struct err *err)
{
	struct err unread = {0};

	sv->post->timer = loop_timer_add(sv->loop, on_sender_timer, sv);
	sv->sender = sender_create(sv->adapter, sv->rules, &ops, sv);
	sender_restore(sv->sender, sv->dir, &unread);
	if (unread.kind)
		publish_degraded(sv,
				 "its queue cannot be read; the messages are "
				 "delivered after the next start: %s",
				 unread.what);
	return 0;
}

void post_report_queued(struct supervisor *sv, const struct sender_taken *taken)
{
	if (taken->waits[0])
		op_receipt(sv, taken->id, RECEIPT_QUEUED, false, taken->waits);
}

int64_t post_send(struct supervisor *sv, const char *text)
{
	struct sender_taken taken;
	struct err err = {0};

	if (sender_submit(sv->sender, text, strlen(text), SENDER_WHEN_IDLE,
			  &taken, &err) == 0) {
		post_report_queued(sv, &taken);
		return taken.id;
	}
	publish_degraded(sv, "a message was not sent: %s", err.what);
	publish_state(sv, true);
	return 0;
}

void post_task(struct supervisor *sv, const char *text)
{
	sv->post->task = post_send(sv, text);
}

static void reading(struct supervisor *sv, const struct reading *r)
{
	sender_reading(sv->sender, r);
}

static void screen_read(struct supervisor *sv)
{
	sender_screen_changed(sv->sender);
}

static void verdict(struct supervisor *sv, const struct verdict *was)
{
	if (monitor_is_same(&sv->verdict, was))
		return;
	sender_reread_queue(
	    sv->sender); /* the process that added one may be dead */
	sender_wake(sv->sender);
}

static void acted(struct supervisor *sv, enum act what, unsigned keys)
{
	/* After an interrupt, a message's Enter may submit the text that the
	 * interrupt has restored. */
	if (what == ACT_TYPED ||
	    (what == ACT_INTERRUPT && sender_is_typing(sv->sender)))
		sender_user_typed(sv->sender);
}

static void typed_ago(struct supervisor *sv, int64_t ms_ago)
{
	sender_typed_ago(sv->sender, ms_ago);
}

static void taken(struct supervisor *sv)
{
	if (sv->input.len == 0)
		sender_wake(sv->sender);
}

static void untaken(struct supervisor *sv, size_t len, const char *why,
		    bool maybe)
{
	sender_write_failed(sv->sender, len, why, maybe);
}

static void state(struct supervisor *sv)
{
	if (!sv->sender)
		return; /* init failed before that */
	sv->state.queued = (int64_t)sender_queued(sv->sender);
	sv->state.messages = sender_last(sv->sender);
}

static void end(struct supervisor *sv, const char *reason)
{
	sender_stop(sv->sender, reason);
	loop_timer_stop(sv->post->timer);
}

static void finish(struct supervisor *sv)
{
	sender_destroy(sv->sender);
}

/* Reports the agent as waiting if its turn is over and a person has to clear a
 * text that was left in its input field. */
static void refine(struct supervisor *sv, struct verdict *v)
{
	char left[SENDER_DETAIL];

	if (!activity_is_idle(v->activity) ||
	    !sender_has_leftover(sv->sender, left))
		return;
	v->activity = ACTIVITY_WAITING_FOR_INPUT;
	v->source = SOURCE_SCREEN;
	utf8_printable(v->detail, sizeof v->detail, left, strlen(left));
}

void post_explain(const struct supervisor *sv, cJSON *out)
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

const struct part sender_part = {
    .own = PART_OWN(post),
    .init = init,
    .reading = reading,
    .screen_read = screen_read,
    .refine = refine,
    .verdict = verdict,
    .acted = acted,
    .typed_ago = typed_ago,
    .taken = taken,
    .untaken = untaken,
    .state = state,
    .end = end,
    .finish = finish,
};
