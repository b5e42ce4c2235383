/* targets.h - the sessions that a key applies to: the marked ones, or the
 * selected one if none is marked. */
#ifndef AFW_TUI_ACTIONS_TARGETS_H
#define AFW_TUI_ACTIONS_TARGETS_H

#include <stdbool.h>

#include "base/buf.h"

struct session;
struct tui;

/* Returns their ids; running: only of running sessions. s (the selected one)
 * may be NULL. The caller calls strv_finish(). */
struct strv targets_find(const struct tui *t, const struct session *s,
			 bool running);
/* Returns whether one of them is running. */
bool targets_run(const struct tui *t, const struct session *s);

/* Returns "3 marked sessions (a, b, c)", or the name of the only one, for the
 * caller to free. */
char *targets_name(const struct tui *t, const struct strv *to);
/* Shows that none of them is running. */
void targets_report_none(struct tui *t, const struct session *s);

#endif
