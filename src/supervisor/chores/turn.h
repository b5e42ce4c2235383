/* turn.h - the worktree as it is when a turn begins (afw diff --turn). */
#ifndef AFW_SUPERVISOR_CHORES_TURN_H
#define AFW_SUPERVISOR_CHORES_TURN_H

#include "supervisor/supervisor.h"

/* Starts to take it, for the turn that a message is about to begin. */
void turn_send(struct supervisor *sv);
/* That is not done yet, nor given up: Enter must wait. */
bool turn_holds_enter(const struct supervisor *sv);

#endif
