/*
 * recorder.h - the session's recording: what the harness printed, and where
 * afw.ini's record asks for it what else told of its activity.
 */
#ifndef AFW_SUPERVISOR_CHORES_RECORDER_H
#define AFW_SUPERVISOR_CHORES_RECORDER_H

#include "supervisor/supervisor.h"

/* An event (taken), where sv->spec.record is set. */
void recorder_event(struct supervisor *sv, const char *name, cJSON *o);

#endif
