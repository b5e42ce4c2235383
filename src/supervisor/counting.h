/*
 * counting.h - files and lines that the harness has changed: watched by
 * inotify, counted by afw-worktree when the worktree has been quiet for a
 * moment. ls only reads what the state file says.
 */
#ifndef AFW_SUPERVISOR_COUNTING_H
#define AFW_SUPERVISOR_COUNTING_H

#include "supervisor/supervisor.h"

struct counting *counting_create(struct supervisor *sv);
void counting_destroy(struct counting *c); /* NULL does nothing */

/* A turn has ended: count soon, whatever inotify saw. NULL: nothing. */
void counting_soon(struct counting *c);

/* The harness has printed: where inotify was refused, count now and then. */
void counting_output(struct counting *c);

/*
 * The harness has ended: what it did last is counted before that is told.
 * True while this is under way; its child's end says when to ask again.
 */
bool counting_last(struct counting *c); /* NULL: false */

/* The child at work, or 0: it is ours, not the harness's. */
pid_t counting_pid(const struct counting *c);

/* True where pid was that child. */
bool counting_reaped(struct counting *c, pid_t pid, int status);

#endif
