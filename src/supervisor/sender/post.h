/*
 * post.h - connects the sender (sender.h) to the supervisor: gives it the
 * terminal, the screen and a timer, and passes its receipts on.
 */
#ifndef AFW_SUPERVISOR_SENDER_POST_H
#define AFW_SUPERVISOR_SENDER_POST_H

#include "supervisor/supervisor.h"

/* The sender's op (sender.h); ctx is the struct supervisor. */
void post_receipt(void *ctx, int64_t id, enum receipt r, bool last,
		  const char *detail);

/* After sender_submit(), and what waits for its receipts: says that it is
 * queued, if it is. */
void post_taken(struct supervisor *sv, const struct sender_taken *taken);

/* The message that came with the start. It runs; where this fails only its
 * task is not on its way. */
void post_task(struct supervisor *sv, const char *text);

/* Replaces the explanation of activity_explain() if a text that was left in the
 * composer is why the agent is waiting. */
void post_explain(const struct supervisor *sv, cJSON *out);

/* A message of the supervisor's own, for when the agent is free. Returns its
 * number; 0 where it cannot be kept, which is told. */
int64_t post_send(struct supervisor *sv, const char *text);

#endif
