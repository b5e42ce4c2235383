/* control.h - requests of the control socket: who may ask what, and when. */
#ifndef AFW_SUPERVISOR_CONTROL_H
#define AFW_SUPERVISOR_CONTROL_H

#include "supervisor/supervisor.h"

/* Does what a request asks. Never fails: replies. */
void control_request(struct peer *p, const cJSON *request);

/* 0, or -1 with err: what REQUEST_USER and REQUEST_RUNNING ask. */
int control_is_user(const struct peer *p, struct err *err);
int control_runs(const struct supervisor *sv, struct err *err);

#endif
