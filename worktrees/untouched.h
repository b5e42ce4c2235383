/*
 * untouched.h - whether anything in a directory has changed since a moment,
 * by the time of change, which nobody can set.
 *
 * The moment is told by the clock of the directory's file system, which may
 * be another machine's. A change within the same tick of that clock (10 ms at
 * most) is not seen.
 */
#ifndef AFW_WORKTREES_UNTOUCHED_H
#define AFW_WORKTREES_UNTOUCHED_H

#include <stdbool.h>
#include <time.h>

/* Now; dir, of that file system, is touched for it. */
void untouched_now(int dir, struct timespec *now);

/*
 * All in the directory, which it takes over (-1: false). Of itself only what
 * is in it: to be renamed changes it, too. What cannot be looked at counts as
 * changed; what lies deeper than 200 is not looked at, and counts as deep
 * says.
 */
bool untouched_since(int dir, const struct timespec *moment, bool deep);

#endif
