/* at_limit.h - whether the agent is at a limit, for other parts. */
#ifndef AFW_SUPERVISOR_CHORES_AT_LIMIT_H
#define AFW_SUPERVISOR_CHORES_AT_LIMIT_H

#include "supervisor/supervisor.h"

/* The user has to log in first. */
bool at_limit_needs_login(const struct supervisor *sv);

/* Ends the limit, with its event, though the agent has not worked since. */
void at_limit_end_now(struct supervisor *sv);

/* Publishes the limit as it is in the state, as an event with these words. */
void at_limit_publish(struct supervisor *sv, const char *event,
		      const char *words);

/* Removes it from the state. */
void at_limit_forget(struct supervisor *sv);

#endif
