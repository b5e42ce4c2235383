/*
 * phase.h - the phases of a session, the activity of a running harness, and the
 * notices that the user gets.
 *
 * One table of moves; a move that is not in it is a bug and is refused.
 */
#ifndef AFW_SESSION_PHASE_H
#define AFW_SESSION_PHASE_H

#include <stdbool.h>
#include <stddef.h>

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
	ACTIVITY_FAILED, /* idle, as its turn ended in an error; no reading and
			    no verdict has it, only a state (monitor.c) */
	ACTIVITY_COUNT,
};

const char *phase_name(enum phase p);	    /* "provisioning" */
const char *activity_name(enum activity a); /* "waiting_for_input" or "" */

/* Return -1 if name is not one of them. */
int phase_parse(const char *name, enum phase *out);
int activity_parse(const char *name, enum activity *out);

/* True if it has nothing to do: idle, completed or failed. */
bool activity_is_idle(enum activity a);

bool phase_may_move(enum phase from, enum phase to);

/* Moves *p, or refuses with ERR_CONFLICT. */
int phase_move(enum phase *p, enum phase to, struct err *err);

/* True while a supervisor should be alive. */
bool phase_is_live(enum phase p);

/* The supervisor decides when there is one (and counts them in state.json); the
 * configuration decides which are shown. */
enum notice {
	NOTICE_NONE,
	NOTICE_WAITING,	  /* it asks something: "waiting_for_input" */
	NOTICE_COMPLETED, /* its turn has ended: "completed" */
	NOTICE_ERROR,	  /* the turn, or the harness, has failed: "error" */
	NOTICE_LIMITED,	  /* it has reached a limit: "limited" */
	NOTICE_STUCK,	  /* it has stalled, or loops: "stuck" */
	NOTICE_COUNT,
};

/* Returns the name as in JSON; "" for none. */
const char *notice_name(enum notice n);

/* Also accepts the notice's word (word.h). "" is NOTICE_NONE. Returns -1 for an
 * unknown name. */
int notice_parse(const char *name, enum notice *out);

/* A set of notices, one bit for each. */
#define NOTICE_BIT(n) (1u << (n))

/* Writes "fix-login waits for you", printable, truncated to size. */
void notice_title(enum notice n, const char *session, char *out, size_t size);

#endif
