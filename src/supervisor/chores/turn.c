/*
 * turn.c - stores a checkpoint of the worktree (worktrees/checkpoint/) when a
 * turn begins, when it ends and when the session ends, for afw undo and
 * afw diff --turn. afw-worktree runs for one of them at a time.
 *
 * It reads what was touched (touched.h). It reads everything when the harness
 * is idle for the first time, so that a message need not wait for that, and
 * when the session ends, because inotify does not report everything.
 *
 * Before a message's Enter, the sender waits for the checkpoint, because a
 * quick agent writes at once. If a person begins the turn, it is stored as soon
 * as the harness works. If only its process shows that the harness works, turns
 * are unknown.
 *
 * A checkpoint also imports the commits of a sandbox. There, the end of a turn
 * is reported only when that is done, so that a merge directly afterwards has
 * them; and with a check, because the check may change files. Until then the
 * harness is busy.
 */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/utf8.h"
#include "supervisor/chores/counting.h"
#include "supervisor/monitor/monitor.h"
#include "supervisor/part.h"
#include "supervisor/worktree_child.h"

#define DEADLINE_MS 60000
#define SEND_MS	    2000  /* a message waits this long for the checkpoint */
#define SENT_MS	    15000 /* later work belongs to another turn */
#define END_MS	    30000 /* the end of a turn waits this long */
#define LAST_MS	    3000  /* and the session's end this long */
#define TEXT_MAX    200

struct turn {
	struct child *child; /* stores a checkpoint; or NULL */
	enum {
		BEGINS,
		ENDS,
		STOPS,
		FIRST,
	} stores;	  /* what child stores */
	int64_t due_at;	  /* mono ms: a start is stored after child; 0: none */
	bool open;	  /* it has begun, and its end is not stored yet */
	bool ended;	  /* its end was stored */
	bool stale;	  /* child was started before the turn ended */
	bool held;	  /* reported as working only until its end is stored */
	bool stopped;	  /* the session's end is stored */
	bool stored;	  /* something is, or was tried */
	bool missed;	  /* the start of the last turn could not be stored */
	int64_t began_at; /* wall ms; 0: none since the start */
	int64_t sent_at;  /* mono ms: stored for a message; 0: not */
	char text[TEXT_MAX + 1]; /* the first line of what began it; or "" */
};

static void store(struct supervisor *sv, int what, int64_t deadline_ms);

/* at: when the turn began whose start is stored; 0: it is not. */
static void set_start(struct supervisor *sv, int64_t at)
{
	sv->state.turn_at = at;
	sv->turn->missed = !at;
}

static void begin_turn(struct supervisor *sv, int64_t deadline_ms)
{
	struct turn *t = sv->turn;

	t->began_at = clock_wall_ms();
	t->due_at = 0;
	sv->state.turn_at = 0; /* until it is stored */
	/* An import may hold git's locks, so it is not interrupted. */
	if (t->child && (t->stores == ENDS || t->stores == FIRST))
		t->due_at = clock_mono_ms() + deadline_ms;
	else
		store(sv, BEGINS, deadline_ms);
	if (t->due_at && t->stores == FIRST)
		child_hurry(t->child, deadline_ms);
}

static void on_ended(void *ctx, const struct child_end *end)
{
	struct supervisor *sv = ctx;
	struct turn *t = sv->turn;
	struct err err = {0};
	_json_ cJSON *o = worktree_answer(end, &err);
	const char *harvest = json_str(o, "harvest");
	int64_t left = t->due_at - clock_mono_ms();

	t->child = NULL;
	if (t->due_at && left <= 0) { /* it would be another state */
		t->due_at = 0;
		set_start(sv, 0);
	}
	if (err.kind)
		touched_forget(counting_touched(sv), TOUCHED_CHECKPOINT);
	if (err.kind && sv->spec.private_git)
		publish_degraded(sv, "import its commits: %s", err.what);
	else if (err.kind)
		publish_log("store a checkpoint: %s", err.what);
	else if (harvest)
		publish_degraded(sv, "%s", harvest);
	sv->state.checkpoint = json_int(o, "number", sv->state.checkpoint);
	if (t->stores == BEGINS)
		set_start(sv, err.kind ? 0 : t->began_at);
	if (t->stores == ENDS) {
		t->ended = !t->stale;
		t->stale = false;
	}
	publish_soon(sv);
	if (!t->stopped)
		monitor_update(sv);
	if (t->due_at && !t->child)
		begin_turn(sv, left);
}

static void store(struct supervisor *sv, int what, int64_t deadline_ms)
{
	static const char *const kinds[] = {"turn-begin", "turn-end", "stop",
					    "turn-end"};
	struct touched *touched = counting_touched(sv);
	struct turn *t = sv->turn;
	_strv_ struct strv paths = {0};
	struct checkpoint_request rq = {.place = spec_place(&sv->spec),
					.kind = kinds[what],
					.text = t->text,
					.after_gap =
					    what == BEGINS && t->missed,
					.keep = CHECKPOINTS_KEPT,
					.file_max = CHECKPOINT_FILE_MAX};
	struct err err = {0};

	if (t->child)
		touched_forget(touched, TOUCHED_CHECKPOINT);
	child_drop(t->child);
	if (touched_take(touched, TOUCHED_CHECKPOINT, &paths) && what != STOPS)
		rq.touched = &paths;
	t->stored = true;
	t->stores = what;
	t->child = worktree_child_start(sv, checkpoint_request(&rq),
					deadline_ms, on_ended, sv, &err);
	if (t->child)
		return;
	touched_forget(touched, TOUCHED_CHECKPOINT);
	publish_degraded(sv, "store a checkpoint: %s", err.what);
	if (what == BEGINS)
		set_start(sv, 0);
}

/* -- its start ----------------------------------------------------------- */

static void set_text(struct turn *t, const char *text)
{
	text += strspn(text, " \t\r\n");
	utf8_printable(t->text, sizeof t->text, text, strcspn(text, "\r\n"));
}

static bool is_working(const struct verdict *v)
{
	return !v->starting_up && (v->activity == ACTIVITY_WORKING ||
				   v->activity == ACTIVITY_THINKING);
}

static bool is_resting(const struct verdict *v)
{
	return activity_is_idle(v->activity);
}

static bool has_turns(const struct supervisor *sv)
{
	return sv->spec.worktree_id && sv->verdict.source != SOURCE_PROCESS;
}

/* Stores the start of the turn that a message is about to begin; Enter waits
 * until that is done or given up. */
static bool turn_hold_enter(struct supervisor *sv, bool first)
{
	struct turn *t = sv->turn;

	if (first && (!is_working(&sv->verdict) || t->held) && has_turns(sv)) {
		set_text(t, sender_text(sv->sender));
		begin_turn(sv, SEND_MS);
		t->sent_at = t->child ? clock_mono_ms() : 0;
	}
	return t->sent_at && t->child && (t->stores == BEGINS || t->due_at);
}

static bool was_sent(const struct turn *t)
{
	return t->sent_at && clock_mono_ms() - t->sent_at < SENT_MS;
}

/* A person began the turn. */
static void turn_reading(struct supervisor *sv, const struct reading *r)
{
	if (r->turn_started && r->prompt[0] && !was_sent(sv->turn))
		set_text(sv->turn, r->prompt);
}

/* Work after a question belongs to the same turn. */
static void turn_verdict(struct supervisor *sv, const struct verdict *was)
{
	struct turn *t = sv->turn;
	bool sent;

	if (is_resting(&sv->verdict) && !t->stored && has_turns(sv))
		store(sv, FIRST, DEADLINE_MS);
	if (t->held || !is_working(&sv->verdict) || !has_turns(sv))
		return;
	t->open = true;
	if (is_working(was) ||
	    (t->began_at && was->activity == ACTIVITY_WAITING_FOR_INPUT))
		return;
	sent = was_sent(t);
	t->sent_at = 0;
	if (!sent)
		begin_turn(sv, DEADLINE_MS);
}

/* -- its end ------------------------------------------------------------- */

static void store_end(struct supervisor *sv)
{
	struct turn *t = sv->turn;

	store(sv, ENDS, END_MS);
	t->ended = !t->child;
	t->open = false;
	t->text[0] = '\0';
}

static void turn_refine(struct supervisor *sv, struct verdict *v)
{
	const struct spec *s = &sv->spec;
	struct turn *t = sv->turn;
	enum activity was = sv->verdict.activity;

	t->held = false;
	if (!s->worktree_id || t->stopped)
		return;
	if (!is_resting(v)) {
		t->ended = false;
		t->stale = t->child && t->stores == ENDS;
		return;
	}
	/* In a sandbox also what was committed outside a turn is imported. */
	if (!t->child && !t->ended && (t->open || s->private_git))
		store_end(sv);
	t->held = t->child && (t->stores == ENDS || t->open) &&
		  (s->private_git || s->check.n);
	if (!t->held)
		return;
	v->activity =
	    was == ACTIVITY_WAITING_FOR_INPUT ? ACTIVITY_WORKING : was;
	snprintf(v->detail, sizeof v->detail, "its work is stored");
}

/* Stores what the session leaves, before its end is reported. */
static bool turn_ending(struct supervisor *sv, int64_t kill_at)
{
	struct turn *t = sv->turn;

	if (!sv->spec.worktree_id || sv->starting)
		return false;
	t->due_at = 0;
	if (!t->child && !t->stopped) {
		t->stopped = true;
		store(sv, STOPS, LAST_MS);
	}
	if (t->child)
		child_hurry(t->child, LAST_MS);
	return t->child != NULL;
}

/* A key that a person types may begin a turn of its own. */
static void turn_acted(struct supervisor *sv, enum act what, unsigned keys)
{
	if (what == ACT_TYPED)
		sv->turn->sent_at = 0;
}

static void turn_finish(struct supervisor *sv)
{
	child_drop(sv->turn->child);
}

const struct part turn_part = {
    .own = PART_OWN(turn),
    .reading = turn_reading,
    .refine = turn_refine,
    .verdict = turn_verdict,
    .hold_enter = turn_hold_enter,
    .acted = turn_acted,
    .ending = turn_ending,
    .finish = turn_finish,
};
