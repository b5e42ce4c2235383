/* send_queue.h - afw send --list, --cancel, --move: the queued messages. */
#ifndef AFW_COMMANDS_SEND_QUEUE_H
#define AFW_COMMANDS_SEND_QUEUE_H

#include "base/err.h"

struct args;

/* Prints the queued messages of each session that args names, or of all, in
 * order: from the supervisor if the session is running, otherwise from its
 * files. Returns the exit code. */
int send_queue_list(const struct args *args, struct err *err);

/* Cancels messages of one session (option "cancel": numbers, or all), or moves
 * one (option "move") ahead of another ("before"). ERR_CONFLICT if it has been
 * delivered or is being typed. */
int send_queue_change(const struct args *args, struct err *err);

#endif
