/*
 * post.h - connects the sender (sender.h) to the supervisor. Gives the sender
 * its terminal, screen and timer, and passes its receipts on.
 */
#ifndef AFW_SUPERVISOR_SENDER_POST_H
#define AFW_SUPERVISOR_SENDER_POST_H

#include "supervisor/supervisor.h"

/* Reports the message as queued, if it is. To be called after sender_submit(),
 * when the client is already waiting for its receipts. */
void post_report_queued(struct supervisor *sv,
			const struct sender_taken *taken);

/* Sends the message that came with the request to start. The harness is
 * running; an error only means that its task will not be sent. */
void post_task(struct supervisor *sv, const char *text);

/* Replaces the explanation of activity_explain() if a text that was left in the
 * composer is why the agent is waiting. */
void post_explain(const struct supervisor *sv, cJSON *out);

/* Sends a message from the supervisor itself when the agent is free. Returns
 * its number, or 0 if it cannot be stored; that error is published. */
int64_t post_send(struct supervisor *sv, const char *text);

#endif
