/* send_queue.h - afw send --list, --cancel, --move: the queued messages. */
#ifndef AFW_COMMANDS_SEND_QUEUE_H
#define AFW_COMMANDS_SEND_QUEUE_H

#include <stdbool.h>

#include "base/err.h"
#include "session/session.h"

struct args;

/* Prints the queued messages of each session of l, in order: from the
 * supervisor if the session is running, otherwise from its files. Returns the
 * exit code. */
int send_queue_list(const struct session_list *l, bool json);

/* Cancels messages of one session (option "cancel": numbers, or all).
 * ERR_CONFLICT if one has been delivered or is being typed. */
int send_queue_cancel(struct session *s, const struct args *args,
		      struct err *err);
/* Moves a message (option "move") ahead of another ("before"). ERR_CONFLICT if
 * one of them has been delivered or is being typed. */
int send_queue_move(struct session *s, const struct args *args,
		    struct err *err);

#endif
