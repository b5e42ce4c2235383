/* try.h - what other commands must know of a session whose state is in the main
 * worktree (try.c). */
#ifndef AFW_COMMANDS_TRY_H
#define AFW_COMMANDS_TRY_H

#include "base/err.h"
#include "session/session.h"

/* Refuses to remove a session whose state is there. */
int try_check_removable(const struct session *s, struct err *err);

/* Prints a hint for each main worktree that has the state of a session. */
void try_hint_all(const struct session_list *l);

#endif
