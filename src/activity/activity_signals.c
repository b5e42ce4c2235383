/*
 * activity_signals.c - what can be read off the signals as they are: questions
 * about one fuser that its judging, its memory and its reports all ask. None
 * of them changes anything.
 */
#include "activity/activity_internal.h"

enum claim activity_claim(enum activity a)
{
	static const enum claim claims[ACTIVITY_COUNT] = {
	    [ACTIVITY_WORKING] = CLAIM_BUSY,
	    [ACTIVITY_THINKING] = CLAIM_BUSY,
	    [ACTIVITY_WAITING_FOR_INPUT] = CLAIM_WAITING,
	    [ACTIVITY_COMPLETED] = CLAIM_REST,
	    [ACTIVITY_IDLE] = CLAIM_REST,
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

bool activity_will_tell(const struct activity_fuser *a)
{
	return a->adapter->hook != NULL;
}

bool activity_starting_up(const struct activity_fuser *a)
{
	return !a->begun && activity_will_tell(a);
}

bool activity_is_starting(const struct activity_fuser *a, int64_t now)
{
	return a->covered && !a->shown && !a->begun &&
	       now < a->covered_since + a->ready_ms;
}

/*
 * Work at a start is no turn yet: Codex says by OSC 7501 and by its title's
 * spinner that it works while it sets itself up, then that it is idle. Until
 * somebody has sent or typed something, only hooks (which tell of turns) and
 * the screen do; and "done" in so many words.
 */
bool activity_is_turn(const struct activity_fuser *a, enum source s)
{
	return a->begun || a->adapter->quiet_start ||
	       (s != SOURCE_PROGRAM_STATUS && s != SOURCE_TITLE);
}

bool activity_rests_below(const struct activity_fuser *a)
{
	bool rests = false;

	for (int i = 0; i < SOURCE_SCREEN; i++) {
		if (a->slots[i].claim == CLAIM_BUSY ||
		    a->slots[i].claim == CLAIM_WAITING)
			return false;
		rests |= a->slots[i].claim == CLAIM_REST;
	}
	return rests && a->slots[SOURCE_SCREEN].claim != CLAIM_BUSY;
}

bool activity_may_be_queued(const struct activity_fuser *a)
{
	return a->input_at > a->busy_at;
}
