/* at_limit.h - lets other parts read and end the limit that the agent is at. */
#ifndef AFW_SUPERVISOR_CHORES_AT_LIMIT_H
#define AFW_SUPERVISOR_CHORES_AT_LIMIT_H

#include "supervisor/supervisor.h"

/* Returns whether the user has to log in first. */
bool at_limit_needs_login(const struct supervisor *sv);

/* Ends the limit, with its event, though the agent has not worked since. */
void at_limit_end_now(struct supervisor *sv);

/* Publishes the limit as it is in the state, as an event with these words. */
void at_limit_publish(struct supervisor *sv, const char *event,
		      const char *words);

/* Removes the limit from the state. */
void at_limit_forget(struct supervisor *sv);

#endif
