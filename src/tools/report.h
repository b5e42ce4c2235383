/* report.h - reports to the supervisor, on our standard error (bridge.c). */
#ifndef AFW_TOOLS_REPORT_H
#define AFW_TOOLS_REPORT_H

#include <cjson/cJSON.h>

/* Elsewhere than on standard error; -1: nowhere. */
void report_to(int fd);

/* o (taken) as one line: {"report": kind, ...}. */
void report(const char *kind, cJSON *o);

#endif
