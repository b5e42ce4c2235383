/* send_queue.h - afw send --list, --cancel, --move: the queued messages. */
#ifndef AFW_COMMANDS_SEND_QUEUE_H
#define AFW_COMMANDS_SEND_QUEUE_H

#include <stdbool.h>

#include "base/err.h"
#include "session/session.h"

struct args;

/* Prints what waits in each session of l, in order. Who runs is asked, of the
 * others the files are read. Returns the exit code. */
int send_queue_list(const struct session_list *l, bool json);

/* Takes messages (option "cancel": numbers, or all) of one session back.
 * ERR_CONFLICT where one has gone in, or is just being typed. */
int send_queue_cancel(struct session *s, const struct args *args,
		      struct err *err);
/* Puts one (option "move") in front of another ("before"): ERR_CONFLICT as
 * above of either. */
int send_queue_move(struct session *s, const struct args *args,
		    struct err *err);

#endif
