/*
 * start.h - from the request to start to the harness that runs: its services
 * first, then itself. Where its sandbox holds it (sandbox.h) it is started
 * before them, and let go behind.
 */
#ifndef AFW_SUPERVISOR_START_H
#define AFW_SUPERVISOR_START_H

#include "supervisor/supervisor.h"

/* They are ready; or they are down, because of err. */
void start_go(struct supervisor *sv);
void start_fail(struct supervisor *sv, const struct err *err);
/* It is not wanted any more; false where it is not under way. */
bool start_cancel(struct supervisor *sv, const char *why, int64_t grace_ms);

#endif
