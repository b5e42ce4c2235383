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

/* The nearest supervisor above pid; 0: none; -1: pid is gone, or of another
 * pid namespace. */
pid_t within_supervisor(pid_t pid);

/* True where pid is below above. */
bool within_is_below(pid_t pid, pid_t above);

#endif
