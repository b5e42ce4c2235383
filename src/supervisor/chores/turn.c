/*
 * turn.c - when a turn begins, the worktree as it is then is kept, so that one
 * can see what the turn has changed (afw diff --turn).
 *
 * Before a message's Enter, the sender waits for it: a quick agent writes at
 * once. If a person begins the turn, it is taken as soon as the harness works.
 * If only its process shows that the harness works, no turns are known.
 */
#include "base/clock.h"
#include "supervisor/part.h"
#include "supervisor/worktree_ask.h"

#define DEADLINE_MS 60000
#define SEND_MS	    2000  /* a message waits this long for it */
#define SENT_MS	    15000 /* from then on, the work is of another turn */

struct turn {
	struct child *child; /* that takes it, or NULL */
	int64_t began_at;    /* wall ms; 0: none since the start */
	int64_t sent_at;     /* mono ms: taken for a message; 0: it was not */
};

static void on_ended(void *ctx, const struct child_end *end)
{
	struct supervisor *sv = ctx;
	struct err err = {0};

	sv->turn->child = NULL;
	cJSON_Delete(worktree_answer(end, &err));
	if (err.kind)
		publish_log("keep how the turn began: %s", err.what);
	sv->state.turn_at = err.kind ? 0 : sv->turn->began_at;
	publish_soon(sv);
}

static bool works(const struct verdict *v)
{
	return !v->starting_up && (v->activity == ACTIVITY_WORKING ||
				   v->activity == ACTIVITY_THINKING);
}

static void begin(struct supervisor *sv, int64_t deadline_ms)
{
	struct turn *t = sv->turn;
	struct err err = {0};

	t->began_at = clock_wall_ms();
	child_drop(t->child);
	t->child = worktree_ask(sv, "turn", deadline_ms, on_ended, sv, &err);
	if (!t->child)
		publish_log("keep how the turn began: %s", err.what);
}

/* Starts to take it, for the turn that a message is about to begin; Enter waits
 * until that is done, or given up. */
static bool hold_enter(struct supervisor *sv, bool first)
{
	struct turn *t = sv->turn;

	if (first && !works(&sv->verdict) && sv->spec.worktree_id &&
	    sv->verdict.source != SOURCE_PROCESS) {
		begin(sv, SEND_MS);
		t->sent_at = t->child ? clock_mono_ms() : 0;
	}
	return t->sent_at && t->child;
}

/* What was asked in between is of the same turn. */
static void verdict(struct supervisor *sv, const struct verdict *was)
{
	struct turn *t = sv->turn;
	bool sent;

	if (!works(&sv->verdict) || works(was) || !sv->spec.worktree_id ||
	    sv->verdict.source == SOURCE_PROCESS ||
	    (t->began_at && was->activity == ACTIVITY_WAITING_FOR_INPUT))
		return;
	sent = t->sent_at && clock_mono_ms() - t->sent_at < SENT_MS;
	t->sent_at = 0;
	if (!sent)
		begin(sv, DEADLINE_MS);
}

/* What a person typed begins a turn of its own. */
static void acted(struct supervisor *sv, enum act what, unsigned keys)
{
	if (what == ACT_TYPED)
		sv->turn->sent_at = 0;
}

static void finish(struct supervisor *sv)
{
	child_drop(sv->turn->child);
}

const struct part turn_part = {
    .own = PART_OWN(turn),
    .verdict = verdict,
    .hold_enter = hold_enter,
    .acted = acted,
    .finish = finish,
};
