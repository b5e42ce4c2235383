/*
 * start.h - starts the harness on request: its services first, then the
 * harness. A harness that its sandbox holds (sandbox.h) is started before the
 * services, and continued after them.
 */
#ifndef AFW_SUPERVISOR_START_H
#define AFW_SUPERVISOR_START_H

#include "supervisor/supervisor.h"

/* Cancels a start that is under way; returns false if none is. */
bool start_cancel(struct supervisor *sv, const char *why, int64_t grace_ms);

#endif
