/*
 * lost.c - what readers see of a lost session, written down.
 *
 * A supervisor that is gone without a word has left a live phase; whoever
 * reads it takes that for an error. Once somebody acts on that, it is to
 * stand there as well.
 */
#include "session/lost.h"

#include "base/json.h"
#include "session/disk/event_log.h"

static void note_phase(const struct session *s)
{
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "phase", phase_name(PHASE_ERROR));
	json_set_str(o, "reason", s->state.error_reason);
	events_append(s->dir, "phase", o, NULL);
}

int lost_note(const struct session *s, bool resumable, struct err *err)
{
	struct state state;
	bool was_live;
	int rc = 0;

	if (state_load(&state, s->dir, err) < 0)
		return -1;
	was_live = phase_is_live(state.phase);
	if (was_live ||
	    (state.phase == PHASE_ERROR && state.lost != resumable)) {
		if (was_live)
			mem_set(&state.error_reason, s->state.error_reason);
		state.phase = PHASE_ERROR;
		state.lost = resumable;
		state.activity = ACTIVITY_NONE;
		state.pid = state.supervisor_pid = 0;
		mem_set(&state.detail, NULL);
		rc = state_save(&state, s->dir, true, err) < 0 ? -1 : 1;
	}
	if (rc > 0 && was_live)
		note_phase(s);
	state_finish(&state);
	return rc;
}
