/*
 * messages.h - the messages of clients, and of the supervisor itself: gives
 * them to the sender (sender.h).
 */
#ifndef AFW_SUPERVISOR_SENDER_MESSAGES_H
#define AFW_SUPERVISOR_SENDER_MESSAGES_H

#include <cjson/cJSON.h>

#include "supervisor/sender/sender.h"

struct supervisor;

/* Sends the message that came with the request to start. The harness is
 * running; an error only means that its task will not be sent. */
void messages_send_task(struct supervisor *sv, const char *text);

/* Sends a message from the supervisor itself when the agent is free. Returns
 * its number, or 0 if it cannot be stored; that error is published. */
int64_t messages_send(struct supervisor *sv, const char *text);

/* Replaces the explanation of activity_explain() if a text that was left in the
 * composer is why the agent is waiting. */
void messages_explain(const struct supervisor *sv, cJSON *out);

#endif
