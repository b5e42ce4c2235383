/* report.h - sends reports to the supervisor, on standard error (bridge.c). */
#ifndef AFW_TOOLS_REPORT_H
#define AFW_TOOLS_REPORT_H

#include <cjson/cJSON.h>

#include "base/err.h"

/* Sends reports to fd in place of standard error; -1: drops them. */
void report_to(int fd);

/* Sends o as one line, {"report": kind, ...}, and deletes it. */
void report(const char *kind, cJSON *o);

/*
 * Asks the user: text describes everything that will be done, and what names it
 * ("af_issues: create") for the rules [approve.NAME]. Blocks for at most 50 s;
 * every harness waits that long. Returns 0: allowed; -1 with err: refused, or
 * not answered yet.
 */
int report_confirm(const char *what, const char *text, struct err *err);

#endif
