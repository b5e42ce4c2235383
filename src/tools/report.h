/* report.h - reports to the supervisor, on our standard error (bridge.c). */
#ifndef AFW_TOOLS_REPORT_H
#define AFW_TOOLS_REPORT_H

#include <cjson/cJSON.h>

#include "base/err.h"

/* Elsewhere than on standard error; -1: nowhere. */
void report_to(int fd);

/* o (taken) as one line: {"report": kind, ...}. */
void report(const char *kind, cJSON *o);

/*
 * Asks the user: text says all that will be done, and what it is in one word
 * ("af_issues: create") for the rules [approve.NAME]. Waits 50 s, which each
 * harness does, too. 0: allowed; -1 with err: not, or not yet.
 */
int report_ask(const char *what, const char *text, struct err *err);

#endif
