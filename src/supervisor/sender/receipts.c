/*
 * receipts.c - the clients that wait for how far their message came, or for the
 * end of its turn.
 *
 * A turn is over when the verdict is idle after work was seen, or after a hook
 * reported the end of the turn. If nothing was seen of the turn at all, it is
 * over when idle has lasted. A message that was sent into a busy harness
 * becomes part of that turn or starts a turn of its own directly after it: the
 * first end belongs to the message only if no turn begins then.
 */
#include "supervisor/sender/receipts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "supervisor/monitor/conversation.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"

/* How long after the first idle verdict the turn may still be seen, or its
 * answer in the harness's files, or the turn of a message that was sent into
 * the turn before (Claude Code, at a load of 16, more than a second later). */
#define REST_MS	 3000
#define AGAIN_MS 100

struct receipts {
	struct loop_timer *timer;
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
	else if (w->receipt == RECEIPT_QUEUED &&
		 state_over_budget(&p->sv->state))
		json_set_str(o, "waits_for", "budget");
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
		loop_timer_set(sv->receipts->timer,
			       next > now ? next - now : 0);
	else
		loop_timer_stop(sv->receipts->timer);
}

/* -- events -------------------------------------------------------------- */

void receipts_await(struct peer *p, const struct receipt_wait *w)
{
	p->receipt = mem_alloc(sizeof *p->receipt);
	*p->receipt = *w;
	p->receipt->receipt = -1;
	check_waits(p->sv);
}

bool receipts_report(struct supervisor *sv, int64_t id, enum receipt r,
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
			loop_timer_set_earlier(sv->receipts->timer, REST_MS);
		} else if (last || (r == RECEIPT_QUEUED &&
				    w->until == AWAITED_RECEIPT)) {
			reply(p, receipt_code(r), NULL);
		}
	}
	return awaited;
}

/* -- the part ------------------------------------------------------------ */

static int receipts_init(struct supervisor *sv, struct err *err)
{
	sv->receipts->timer = loop_timer_add(sv->loop, check_waits, sv);
	return 0;
}

static void receipts_reading(struct supervisor *sv, const struct reading *r)
{
	for (struct peer *p = sv->peers; p && r->turn_ended; p = p->next)
		if (p->receipt && p->receipt->taken)
			p->receipt->worked = true;
}

static void receipts_verdict(struct supervisor *sv, const struct verdict *was)
{
	check_waits(sv);
}

static void receipts_end(struct supervisor *sv, const char *reason)
{
	for (struct peer *p = sv->peers; p; p = p->next) {
		if (!p->receipt)
			continue;
		/* A stored message has a more precise detail. */
		if (p->receipt->receipt != RECEIPT_QUEUED)
			set_detail(p->receipt, reason);
		reply(p, ERR_NOT_RUNNING, p->receipt->taken ? "lost" : NULL);
	}
}

static void receipts_closed(struct supervisor *sv, struct peer *p)
{
	end_wait(p);
}

const struct part receipts_part = {
    .own = PART_OWN(receipts),
    .init = receipts_init,
    .reading = receipts_reading,
    .verdict = receipts_verdict,
    .end = receipts_end,
    .closed = receipts_closed,
};
