/*
 * activity_signals.c - answers questions about the stored signals, for the
 * other activity*.c. None of these functions changes anything.
 */
#include "activity/activity_internal.h"

enum claim activity_claim(enum activity a)
{
	static const enum claim claims[ACTIVITY_COUNT] = {
	    [ACTIVITY_WORKING] = CLAIM_BUSY,
	    [ACTIVITY_THINKING] = CLAIM_BUSY,
	    [ACTIVITY_WAITING_FOR_INPUT] = CLAIM_WAITING,
	    [ACTIVITY_COMPLETED] = CLAIM_IDLE,
	    [ACTIVITY_IDLE] = CLAIM_IDLE,
	    [ACTIVITY_FAILED] = CLAIM_IDLE,
	};

	return claims[a];
}

int64_t activity_moved_at(const struct activity_fuser *a)
{
	int64_t at = a->output_at;

	if (a->cpu_at > at)
		at = a->cpu_at;
	return a->children_at > at ? a->children_at : at;
}

bool activity_has_hooks(const struct activity_fuser *a)
{
	return a->adapter->hook != NULL;
}

bool activity_starting_up(const struct activity_fuser *a)
{
	return !a->begun && activity_has_hooks(a);
}

bool activity_is_starting(const struct activity_fuser *a, int64_t now)
{
	return a->covered && !a->shown && !a->begun &&
	       now < a->covered_since + a->ready_ms;
}

/*
 * Work at a start is not a turn yet: while Codex sets itself up, OSC 7501 and
 * its title's spinner show it as working, then as idle. Until something was
 * sent or typed, only hooks (which report turns) and the screen can show a
 * turn.
 */
bool activity_is_turn(const struct activity_fuser *a, enum source s)
{
	return a->begun || a->adapter->quiet_start ||
	       (s != SOURCE_PROGRAM_STATUS && s != SOURCE_TITLE);
}

/* True for a hook's "busy" that OSC 7501 has ended since: no hook reports the
 * end of a turn that failed (Codex at its limit). */
static bool is_ended(const struct activity_fuser *a, enum source i)
{
	const struct slot *status = &a->slots[SOURCE_PROGRAM_STATUS];

	return i == SOURCE_HOOK && a->slots[i].claim == CLAIM_BUSY &&
	       status->claim == CLAIM_IDLE && status->since > a->slots[i].seen;
}

bool activity_is_idle_below(const struct activity_fuser *a)
{
	bool rests = false;

	for (int i = 0; i < SOURCE_SCREEN; i++) {
		if (is_ended(a, (enum source)i))
			continue;
		if (a->slots[i].claim == CLAIM_BUSY ||
		    a->slots[i].claim == CLAIM_WAITING)
			return false;
		rests |= a->slots[i].claim == CLAIM_IDLE;
	}
	return rests && a->slots[SOURCE_SCREEN].claim != CLAIM_BUSY;
}

bool activity_may_be_queued(const struct activity_fuser *a)
{
	return a->input_at > a->busy_at;
}
