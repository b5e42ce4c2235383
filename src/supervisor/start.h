/*
 * start.h - from the request to start to the harness that runs: its services
 * first, then itself. Where its sandbox holds it (sandbox.h) it is started
 * before them, and let go behind.
 */
#ifndef AFW_SUPERVISOR_START_H
#define AFW_SUPERVISOR_START_H

#include "supervisor/supervisor.h"

/* It is not wanted any more; false where it is not under way. */
bool start_cancel(struct supervisor *sv, const char *why, int64_t grace_ms);

#endif
