/*
 * within.h - whether a process is below a session's supervisor: an agent, or
 * what one started. A supervisor is a subreaper, so that nobody gets out of
 * there by forking twice; and its name is its program's, which only it itself
 * could change.
 */
#ifndef AFW_SESSION_LIVE_WITHIN_H
#define AFW_SESSION_LIVE_WITHIN_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

/* The nearest supervisor above pid; 0: none; -1: pid is gone, or of another
 * pid namespace. */
pid_t within_supervisor(pid_t pid);

/*
 * Keys, answers and possible commands are for the user alone: an agent could
 * allow itself, or another agent, anything. Returns 0 if supervisor, which
 * within_supervisor() returned, is 0; else ERR_REFUSED.
 */
int within_check_user(pid_t supervisor, struct err *err);

/* True where pid is below above. */
bool within_is_below(pid_t pid, pid_t above);

#endif
