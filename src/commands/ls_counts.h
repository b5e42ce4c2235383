/* ls_counts.h - afw ls --count and --summary: numbers for scripts, prompts and
 * status lines. */
#ifndef AFW_COMMANDS_LS_COUNTS_H
#define AFW_COMMANDS_LS_COUNTS_H

#include "base/err.h"
#include "session/session.h"

/* ERR_USAGE if state is not NULL, "" or the word of a state. */
int ls_check_state(const char *state, struct err *err);

/* Prints how many sessions are in this state; "": how many there are. */
void ls_print_count(const struct session_list *l, const char *state);

/* Prints "2 waiting · 1 working", those that need the user first; nothing if
 * there are no sessions. */
void ls_print_summary(const struct session_list *l);

/* Prints a line for each limit that needs the user, however many sessions it
 * stops. */
void ls_hint_limits(const struct session_list *l);

#endif
