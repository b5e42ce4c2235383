/*
 * phase.h - the life of a session, and what a running harness does.
 *
 * One table of moves (DESIGN, "Phases"); a move that is not in it is a bug
 * and is refused.
 */
#ifndef AFW_SESSION_PHASE_H
#define AFW_SESSION_PHASE_H

#include <stdbool.h>

#include "base/err.h"

enum phase {
	PHASE_CREATED,
	PHASE_PROVISIONING,
	PHASE_STARTING,
	PHASE_RUNNING,
	PHASE_STOPPING,
	PHASE_STOPPED,
	PHASE_SUSPENDED,
	PHASE_ERROR,
	PHASE_COUNT,
};

enum activity {
	ACTIVITY_NONE, /* not running, or nothing known yet: "" */
	ACTIVITY_WORKING,
	ACTIVITY_THINKING,
	ACTIVITY_WAITING_FOR_INPUT,
	ACTIVITY_COMPLETED,
	ACTIVITY_IDLE,
	ACTIVITY_COUNT,
};

const char *phase_name(enum phase p);	    /* "provisioning" */
const char *activity_name(enum activity a); /* "waiting_for_input" or "" */

/* -1 where name is none of them. */
int phase_parse(const char *name, enum phase *out);
int activity_parse(const char *name, enum activity *out);

bool phase_may_move(enum phase from, enum phase to);

/* Moves *p, or refuses with ERR_CONFLICT. */
int phase_move(enum phase *p, enum phase to, struct err *err);

/* True while a supervisor should be alive. */
bool phase_is_live(enum phase p);

#endif
