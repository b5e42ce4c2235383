/*
 * targets.h - what a key acts on: the marked sessions, or the selected one if
 * none is marked.
 */
#ifndef AFW_TUI_ACTIONS_TARGETS_H
#define AFW_TUI_ACTIONS_TARGETS_H

#include <stdbool.h>

#include "base/buf.h"

struct session;
struct tui;

/* Their ids; running: only of those that run. s (selected) may be NULL. */
struct strv targets_find(const struct tui *t, const struct session *s,
			 bool running);
/* One of them runs. */
bool targets_run(const struct tui *t, const struct session *s);

/* "3 marked sessions (a, b, c)", or the one's name; to be freed. */
char *targets_name(const struct tui *t, const struct strv *to);
/* Says that none of them runs. */
void targets_say_none(struct tui *t, const struct session *s);

#endif
