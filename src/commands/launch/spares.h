/* spares.h - makes worktrees ahead, in a process of its own. */
#ifndef AFW_COMMANDS_LAUNCH_SPARES_H
#define AFW_COMMANDS_LAUNCH_SPARES_H

#include "session/spec.h"

/*
 * Begins to make the spares that the configuration asks for in the repository
 * of this session, which was just made or removed, and to remove those that are
 * of no use any more. Does not wait; a failure is not reported: the next `new`
 * does all of it by itself. asked: the option `spares`, if it is known, or
 * NULL.
 */
void spares_make(const struct spec *of, const char *asked);

#endif
