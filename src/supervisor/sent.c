/*
 * sent.c - replies to who has sent a message, when it is time.
 *
 * A turn is over when the verdict rests after it has been seen at work, or
 * after a hook has told its end; where nothing was seen of it at all, a rest
 * that has lasted is its end too. What was sent into a busy harness becomes
 * part of that turn or one of its own right behind it: the first end is its
 * own only if nothing begins then.
 */
#include "supervisor/sent.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "supervisor/told.h"

#define UNSEEN_MS	3000 /* a turn of which nothing was seen is over */
#define ANSWER_MS	3000 /* hooks and files may come so long after the end */
#define ANSWER_AGAIN_MS 100
#define ERROR_MS	300 /* a failure may be drawn so long after it */
/* What was sent into a turn may begin its own: so long after the end of that,
 * or while the harness prints (on a busy machine it goes on late). */
#define OWN_TURN_MS	1000
#define OWN_TURN_MAX_MS 4000

int sent_until_parse(const char *word, enum sent_until *out)
{
	if (word[0] == '\0')
		*out = SENT_TOLD;
	else if (strcmp(word, "accepted") == 0)
		*out = SENT_ACCEPTED;
	else if (strcmp(word, "turn") == 0)
		*out = SENT_TURN;
	else
		return -1;
	return 0;
}

/* turn: how it ended; NULL: nobody waited for it, or there was none. */
static void reply(struct peer *p, enum err_kind code, const char *turn)
{
	struct sent *w = &p->sent;
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
	    told_answer(p->sv, w->typed_at, &answer))
		json_set_str(o, "answer", answer.data);
	buf_finish(&answer);
	peer_reply(p, w->seq, o);
	*w = (struct sent){0};
}

static void set_detail(struct sent *w, const char *detail)
{
	snprintf(w->detail, sizeof w->detail, "%s", detail);
}

/* -- the turn ------------------------------------------------------------ */

static bool rests(const struct verdict *v)
{
	return (v->activity == ACTIVITY_COMPLETED ||
		v->activity == ACTIVITY_IDLE) &&
	       !v->winds_up;
}

/* A rest: how the turn has ended. What is known of that may change yet. */
static void keep_end(struct sent *w, const struct verdict *v)
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
	struct sent *w = &p->sent;

	reply(p, w->failed || w->interrupted ? ERR_FAILED : ERR_NONE,
	      w->interrupted ? "interrupted"
	      : w->failed    ? "failed"
			     : "completed");
}

static bool may_begin_its_own(const struct peer *p, int64_t now)
{
	int64_t ended = p->sent.ended_at, quiet = p->sv->senses.output_at;

	return p->sent.now && now - ended < OWN_TURN_MAX_MS &&
	       now - (quiet > ended ? quiet : ended) < OWN_TURN_MS;
}

/*
 * The turn is over; its answer may not have reached the harness's files yet,
 * nor the reason of a failure the screen.
 * True while it is worth waiting for: from here on set_timer() looks again
 * every ANSWER_AGAIN_MS.
 */
static bool answer_to_come(struct peer *p, int64_t now)
{
	struct sent *w = &p->sent;
	struct buf answer = {0};
	bool known, failed = w->failed;

	if (w->ended_at == 0)
		w->ended_at = now;
	if (may_begin_its_own(p, now) || p->sv->verdict.maybe_failed)
		return true;
	/* Some hooks tell the end, and the screen alone that it was one. */
	if (!failed && now - w->ended_at < ERROR_MS &&
	    rules_has(p->sv->rules, "error"))
		return true;
	if (p->sv->adapter->last_answer == NULL ||
	    (p->sv->unanswered && !failed))
		return false;
	known = failed ? w->detail[0] != '\0'
		       : told_answer(p->sv, w->typed_at, &answer);
	buf_finish(&answer);
	return !known && now - w->ended_at < ANSWER_MS;
}

static void set_timer(struct supervisor *sv, int64_t now);

static void look_at_turn(struct peer *p, const struct verdict *v, int64_t now)
{
	struct sent *w = &p->sent;

	if (w->ended_at != 0 && w->now && !w->settled && !rests(v)) {
		w->now = false; /* that was the turn which it was sent into */
		w->ended_at = 0;
		w->failed = w->interrupted = false;
		w->worked = true;
		w->typed_at = clock_wall_ms(); /* its answer is newer */
	} else if (w->ended_at != 0 && !rests(v)) {
		end_turn(p); /* the next turn began */
	} else if (v->unseen) {
		w->worked = true; /* another hook may answer */
	} else if (v->activity == ACTIVITY_WAITING_FOR_INPUT || v->question) {
		set_detail(w, v->detail);
		reply(p, ERR_REFUSED, "asks");
	} else if (!rests(v)) {
		w->worked = true;
	} else if (w->worked || now - w->taken_at >= UNSEEN_MS) {
		keep_end(w, v);
		if (answer_to_come(p, now))
			set_timer(p->sv, now);
		else
			end_turn(p);
	}
}

static void on_timer(void *ctx);

/* The next time that something is due without a word from anybody. */
static void set_timer(struct supervisor *sv, int64_t now)
{
	int64_t next = 0;

	for (struct peer *p = sv->peers; p; p = p->next) {
		const struct sent *w = &p->sent;
		int64_t at = w->deadline;

		if (!w->seq || p->dead)
			continue;
		if (w->taken && !w->worked &&
		    (!at || w->taken_at + UNSEEN_MS < at))
			at = w->taken_at + UNSEEN_MS;
		if (w->ended_at && (!at || now + ANSWER_AGAIN_MS < at))
			at = now + ANSWER_AGAIN_MS;
		if (at && (!next || at < next))
			next = at;
	}
	if (!sv->sent_timer)
		sv->sent_timer = loop_timer_add(sv->loop, on_timer, sv);
	if (next)
		loop_timer_set(sv->sent_timer, next > now ? next - now : 0);
	else
		loop_timer_stop(sv->sent_timer);
}

static void on_timer(void *ctx)
{
	struct supervisor *sv = ctx;
	int64_t now = clock_mono_ms();

	for (struct peer *p = sv->peers; p; p = p->next) {
		if (p->sent.seq && p->sent.taken)
			look_at_turn(p, &sv->verdict, now);
		if (p->sent.seq && p->sent.deadline && now >= p->sent.deadline)
			reply(p, ERR_TIMEOUT, p->sent.taken ? "working" : NULL);
	}
	set_timer(sv, now);
}

/* -- events -------------------------------------------------------------- */

void sent_wait(struct peer *p, const struct sent *w)
{
	p->sent = *w;
	p->sent.receipt = -1;
	set_timer(p->sv, clock_mono_ms());
}

bool sent_is_awaited(const struct supervisor *sv, int64_t id)
{
	for (const struct peer *p = sv->peers; p; p = p->next)
		if (p->sent.seq && p->sent.id == id && !p->dead && !p->broken)
			return true;
	return false;
}

void sent_receipt(struct supervisor *sv, int64_t id, enum receipt r, bool last,
		  const char *detail)
{
	for (struct peer *p = sv->peers; p; p = p->next) {
		struct sent *w = &p->sent;

		if (w->seq && w->id != id && r == RECEIPT_SUBMITTED &&
		    w->ended_at != 0)
			w->settled = true;
		if (!w->seq || w->id != id)
			continue;
		w->receipt = (int)r;
		set_detail(w, detail);
		if (r != RECEIPT_QUEUED && !w->typed_at)
			w->typed_at = clock_wall_ms();
		if (last && r == RECEIPT_ACCEPTED && w->until == SENT_TURN) {
			w->taken = true;
			w->taken_at = clock_mono_ms();
			set_timer(sv, w->taken_at);
		} else if (last ||
			   (r == RECEIPT_QUEUED && w->until == SENT_TOLD)) {
			reply(p, receipt_code(r), NULL);
		}
	}
}

static void reading(struct supervisor *sv, const struct reading *r)
{
	if (!r->turn_ended)
		return;
	for (struct peer *p = sv->peers; p; p = p->next)
		if (p->sent.seq && p->sent.taken)
			p->sent.worked = true;
}

/* Its message is in the queue, and stays there until a person acts: nobody
 * waits here for that, as for a question in the middle of a turn. */
static void look_at_queue(struct peer *p)
{
	struct sent *w = &p->sent;

	if (w->until != SENT_TURN || w->receipt != RECEIPT_QUEUED ||
	    !sender_needs_person(p->sv->sender))
		return;
	set_detail(w, sender_waits_for(p->sv->sender));
	reply(p, ERR_REFUSED, "waits");
}

static void verdict(struct supervisor *sv, const struct verdict *was)
{
	int64_t now = clock_mono_ms();

	(void)was;
	for (struct peer *p = sv->peers; p; p = p->next) {
		if (p->sent.seq && p->sent.taken)
			look_at_turn(p, &sv->verdict, now);
		else if (p->sent.seq)
			look_at_queue(p);
	}
}

/* After the sender: what is told of a message is its last word. */
static void end(struct supervisor *sv, const char *reason)
{
	for (struct peer *p = sv->peers; p; p = p->next) {
		if (!p->sent.seq)
			continue;
		/* What is kept has a better word than that. */
		if (p->sent.receipt != RECEIPT_QUEUED)
			set_detail(&p->sent, reason);
		reply(p, ERR_NOT_RUNNING, p->sent.taken ? "lost" : NULL);
	}
}

const struct part sent_part = {
    .reading = reading,
    .verdict = verdict,
    .end = end,
};
