/*
 * budget.h - limits what a session, or all sessions of a day, may use
 * (budget_... in afw.ini(5)).
 *
 * Budgets are checked at the end of each turn, and before a message is typed:
 * so a turn is never interrupted. When a budget is used up, queued messages are
 * held, and the session is limited ("budget"), until the user allows more.
 */
#ifndef AFW_SUPERVISOR_CHORES_BUDGET_H
#define AFW_SUPERVISOR_CHORES_BUDGET_H

#include <stdbool.h>

#include "supervisor/supervisor.h"

/* Checks all budgets. Called when the use has changed, or is asked for. */
void budget_update(struct supervisor *sv);

/* expects: the use of the last turn is not known yet, and no message is typed
 * if a budget depends on it. */
void budget_expect(struct supervisor *sv, bool expects);

/* Gives the session as much again as its budgets, and ignores the day's budgets
 * until tomorrow. */
void budget_allow_more(struct supervisor *sv);

#endif
