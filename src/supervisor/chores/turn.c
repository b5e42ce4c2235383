/*
 * turn.c - keeps a copy of the worktree as it is when a turn begins, so that
 * afw diff --turn can show what the turn has changed.
 *
 * Before a message's Enter, the sender waits for the copy, because a quick
 * agent writes at once. If a person begins the turn, the copy is made as soon
 * as the harness works. If only its process shows that the harness works, turns
 * are unknown.
 *
 * When a turn ends in a sandbox, its commits are imported before the end is
 * reported, so that a merge directly afterwards has them. Until then the
 * harness is busy.
 */
#include <stdio.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "supervisor/monitor/monitor.h"
#include "supervisor/part.h"
#include "supervisor/worktree_child.h"

#define DEADLINE_MS 60000
#define SEND_MS	    2000  /* a message waits this long for the copy */
#define SENT_MS	    15000 /* later work belongs to another turn */
#define IMPORT_MS   30000 /* the end of a turn waits this long */

struct turn {
	struct child *child;  /* makes the copy; or NULL */
	struct child *import; /* imports the commits; or NULL */
	bool imported;	      /* they were imported after the turn ended */
	bool stale;	      /* the import was started before the turn ended */
	int64_t began_at;     /* wall ms; 0: none since the start */
	int64_t sent_at;      /* mono ms: copied for a message; 0: not */
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

static bool is_working(const struct verdict *v)
{
	return !v->starting_up && (v->activity == ACTIVITY_WORKING ||
				   v->activity == ACTIVITY_THINKING);
}

/* Returns whether it is reported as working only because its end is held
 * back. */
static bool is_held(const struct turn *t)
{
	return t->import && !t->stale;
}

static void begin_turn(struct supervisor *sv, int64_t deadline_ms)
{
	struct turn *t = sv->turn;
	struct err err = {0};

	t->began_at = clock_wall_ms();
	child_drop(t->child);
	t->child =
	    worktree_child_start(sv, "turn", deadline_ms, on_ended, sv, &err);
	if (!t->child)
		publish_log("keep how the turn began: %s", err.what);
}

/* Starts the copy for the turn that a message is about to begin; Enter waits
 * until the copy is done or given up. */
static bool hold_enter(struct supervisor *sv, bool first)
{
	struct turn *t = sv->turn;

	if (first && (!is_working(&sv->verdict) || is_held(t)) &&
	    sv->spec.worktree_id && sv->verdict.source != SOURCE_PROCESS) {
		begin_turn(sv, SEND_MS);
		t->sent_at = t->child ? clock_mono_ms() : 0;
	}
	return t->sent_at && t->child;
}

/* Work after a question belongs to the same turn. */
static void verdict(struct supervisor *sv, const struct verdict *was)
{
	struct turn *t = sv->turn;
	bool sent;

	if (is_held(t) || !is_working(&sv->verdict) || is_working(was) ||
	    !sv->spec.worktree_id || sv->verdict.source == SOURCE_PROCESS ||
	    (t->began_at && was->activity == ACTIVITY_WAITING_FOR_INPUT))
		return;
	sent = t->sent_at && clock_mono_ms() - t->sent_at < SENT_MS;
	t->sent_at = 0;
	if (!sent)
		begin_turn(sv, DEADLINE_MS);
}

/* -- its end ------------------------------------------------------------- */

static void on_imported(void *ctx, const struct child_end *end)
{
	struct supervisor *sv = ctx;
	struct turn *t = sv->turn;
	struct err err = {0};
	_json_ cJSON *o = worktree_answer(end, &err);

	t->import = NULL;
	t->imported = !t->stale;
	t->stale = false;
	if (!o)
		publish_degraded(sv, "import its commits: %s", err.what);
	else if (err.kind || json_str(o, "harvest"))
		publish_degraded(sv, "%s",
				 err.kind ? err.what : json_str(o, "harvest"));
	monitor_update(sv);
}

static void import_commits(struct supervisor *sv)
{
	struct turn *t = sv->turn;
	struct err err = {0};

	t->import = worktree_child_start(sv, "import", IMPORT_MS, on_imported,
					 sv, &err);
	t->imported = !t->import;
	if (!t->import)
		publish_degraded(sv, "import its commits: %s", err.what);
}

/* Holds the end back until the turn's commits are imported. An import is never
 * interrupted for the next: it may hold git's locks. */
static void refine(struct supervisor *sv, struct verdict *v)
{
	struct turn *t = sv->turn;
	enum activity was = sv->verdict.activity;

	if (!sv->spec.private_git)
		return;
	if (v->activity != ACTIVITY_COMPLETED && v->activity != ACTIVITY_IDLE) {
		t->imported = false;
		t->stale = t->import != NULL;
		return;
	}
	if (!t->imported && !t->import)
		import_commits(sv);
	if (!t->import)
		return;
	v->activity =
	    was == ACTIVITY_WAITING_FOR_INPUT ? ACTIVITY_WORKING : was;
	snprintf(v->detail, sizeof v->detail, "its commits are imported");
}

/* A key that a person types may begin a turn of its own. */
static void acted(struct supervisor *sv, enum act what, unsigned keys)
{
	if (what == ACT_TYPED)
		sv->turn->sent_at = 0;
}

static void finish(struct supervisor *sv)
{
	child_drop(sv->turn->child);
	child_drop(sv->turn->import);
}

const struct part turn_part = {
    .own = PART_OWN(turn),
    .refine = refine,
    .verdict = verdict,
    .hold_enter = hold_enter,
    .acted = acted,
    .finish = finish,
};
