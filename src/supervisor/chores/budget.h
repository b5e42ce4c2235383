/*
 * budget.h - what a session, or all of a day, may use (budget_... in
 * afw.ini(5)).
 *
 * Checked at the end of each turn, and before a message is typed. When one is
 * used up, the turn has ended already; queued messages are held, and the
 * session is limited ("budget"), until the user allows more.
 */
#ifndef AFW_SUPERVISOR_CHORES_BUDGET_H
#define AFW_SUPERVISOR_CHORES_BUDGET_H

#include <stdbool.h>

#include "supervisor/supervisor.h"

/* What was used has changed, or when it is asked for: checks all budgets. */
void budget_update(struct supervisor *sv);

/* Until it is called with false, what the last turn has used is not known yet,
 * and no message is typed if a budget depends on it. */
void budget_expect(struct supervisor *sv, bool expects);

/* Allows as much again for the session, and for today without a limit. */
void budget_allow_more(struct supervisor *sv);

#endif
