/* targets.h - the sessions that a key applies to: the marked ones, or the
 * selected one if none is marked. */
#ifndef AFW_TUI_ACTIONS_TARGETS_H
#define AFW_TUI_ACTIONS_TARGETS_H

#include <stdbool.h>

#include "base/buf.h"

struct command;
struct job_result;
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

/* Returns a command for these sessions: afw WORD OPTION ID...; option may be
 * NULL. doing: "stopping". It ends with targets_report(). */
struct command *targets_command(const struct tui *t, const struct strv *to,
				const char *doing, const char *word,
				const char *option);
/* Reports its result: of several sessions in one line. */
void targets_report(struct tui *t, struct command *c,
		    const struct job_result *r);

#endif
