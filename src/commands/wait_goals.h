/* wait_goals.h - the states that afw wait waits for. */
#ifndef AFW_COMMANDS_WAIT_GOALS_H
#define AFW_COMMANDS_WAIT_GOALS_H

#include "session/session.h"

/* Idle because a turn was interrupted: a goal of its own. */
#define WAIT_INTERRUPTED "interrupted"

/* The last one is an error unless it is asked for. */
#define WAIT_GOALS "done," WAIT_INTERRUPTED ",waiting,stopped,failed"

struct wait_goals {
	bool checked; /* that its check has passed, and nothing else */
	bool phase[PHASE_COUNT];
	bool activity[ACTIVITY_COUNT];
	bool interrupted, limited;
	bool change; /* to another state; the caller compares */
	bool given;  /* not WAIT_GOALS */
};

/* Reads words, and long names of phases and activities, with commas between
 * them. ERR_USAGE names a word that is unknown. */
int wait_goals_parse(struct wait_goals *g, const char *list, struct err *err);

/* Returns the long name of the goal that the session has reached, or NULL; sets
 * word to its term. The caller frees neither. */
const char *wait_goals_reached(const struct wait_goals *g,
			       const struct session *s, const char **word);

#endif
