/* waiting.h - afw send --list and what goes by it: the messages that wait. */
#ifndef AFW_COMMANDS_WAITING_H
#define AFW_COMMANDS_WAITING_H

#include <stdbool.h>

#include "base/err.h"
#include "session/session.h"

struct args;

/* Prints what waits in each session of l, in order. Who runs is asked, of the
 * others the files are read. Returns the exit code. */
int waiting_list(const struct session_list *l, bool json);

/* As the answer to "queue"; err is filled where there may be more. */
cJSON *waiting_in_files(const struct session *s, struct err *err);

/* Takes messages (option "cancel": numbers, or all) of one session back.
 * ERR_CONFLICT where one has gone in, or is just being typed. */
int waiting_cancel(struct session *s, const struct args *args, struct err *err);
/* Puts one (option "move") in front of another ("before"): ERR_CONFLICT as
 * above of either. */
int waiting_move(struct session *s, const struct args *args, struct err *err);

#endif
