/*
 * confirm.h - a worktree that is made, until whoever asked for it has
 * recorded it. Only for create.c.
 */
#ifndef AFW_WORKTREES_CREATE_CONFIRM_H
#define AFW_WORKTREES_CREATE_CONFIRM_H

#include "worktrees/create/create.h"

/*
 * Waits for a newline on standard input, "confirm_timeout_ms" of the request
 * at most (default 60 s). -1: it did not come.
 */
int confirm_wait(struct create *c, struct err *err);

/*
 * Then: takes back what was made, but only where nothing is in the worktree
 * that is nowhere else. Else all of it stays, and err says so too.
 */
void confirm_take_back(struct create *c, struct err *err);

#endif
