/*
 * turn.c - when a turn begins, the worktree as it is then is kept, so that one
 * can see what the turn has changed (afw diff --turn).
 *
 * It is taken while the harness has not done more than ask its model. Of one
 * of which only its process tells that it works no turns are known.
 */
#include "base/clock.h"
#include "base/json.h"
#include "supervisor/child.h"
#include "supervisor/part.h"

#define DEADLINE_MS 60000

struct turn {
	struct child *child; /* that takes it, or NULL */
	int64_t began_at;    /* wall ms; 0: none since the start */
};

static void ended(void *ctx, const char *program, const char *failed,
		  const struct buf *output)
{
	struct supervisor *sv = ctx;
	struct err err = {0};
	cJSON *o = json_parse_object(output->len ? output->data : "",
				     output->len, &err);
	bool ok = json_bool(o, "ok", false);

	sv->turn->child = NULL;
	if (!ok)
		supervisor_log("keep how the turn began: %s",
			       o ? json_str_or(o, "error", "?")
				 : failed ? failed : err.what);
	cJSON_Delete(o);
	sv->state.turn_at = ok ? sv->turn->began_at : 0;
	supervisor_touch(sv);
}

static bool works(const struct verdict *v)
{
	return !v->starting_up && (v->activity == ACTIVITY_WORKING ||
				   v->activity == ACTIVITY_THINKING);
}

/* What was asked in between is of the same turn. */
static void verdict(struct supervisor *sv, const struct verdict *was)
{
	struct turn *t = sv->turn;
	struct err err = {0};

	if (!works(&sv->verdict) || works(was) || !sv->spec.worktree_id ||
	    sv->verdict.source == SOURCE_PROCESS ||
	    (t->began_at && was->activity == ACTIVITY_WAITING_FOR_INPUT))
		return;
	t->began_at = clock_wall_ms();
	child_drop(t->child);
	t->child =
	    child_ask_worktree(sv, "turn", DEADLINE_MS, ended, sv, &err);
	if (!t->child)
		supervisor_log("keep how the turn began: %s", err.what);
}

static void finish(struct supervisor *sv)
{
	child_drop(sv->turn->child);
}

const struct part turn_part = {
    .own = PART_OWN(turn),
    .verdict = verdict,
    .finish = finish,
};
