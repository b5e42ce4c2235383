/*
 * counting.h - files and lines that the harness has changed: watched by
 * inotify, counted by afw-worktree when the worktree has been quiet for a
 * moment. ls only reads what the state file says.
 */
#ifndef AFW_SUPERVISOR_CHORES_COUNTING_H
#define AFW_SUPERVISOR_CHORES_COUNTING_H

#include "supervisor/supervisor.h"

/*
 * The harness has ended: what it did last is counted before that is told.
 * True while this is under way; its child's end says when to ask again.
 */
bool counting_last(struct counting *c); /* NULL: false */

#endif
