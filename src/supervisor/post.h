/*
 * post.h - the sender in its supervisor: what it types with, and what can be
 * asked of it on the control socket.
 */
#ifndef AFW_SUPERVISOR_POST_H
#define AFW_SUPERVISOR_POST_H

#include "supervisor/supervisor.h"

/*
 * The request "send": replies when it is time (receipts.h). Where the harness
 * does not run (any more) only what post_may_wait() is taken: it is for the
 * next start. And "queue" and "cancel".
 */
int post_send(struct peer *p, const cJSON *rq, int64_t seq, struct err *err);
bool post_may_wait(const cJSON *rq);
int post_queue(struct peer *p, const cJSON *rq, int64_t seq, struct err *err);
int post_cancel(struct peer *p, const cJSON *rq, int64_t seq, struct err *err);

#endif
