/* new_check.h - the check of a new session. */
#ifndef AFW_COMMANDS_NEW_CHECK_H
#define AFW_COMMANDS_NEW_CHECK_H

#include "commands/launch/provision.h"

/* Reads and checks what n->plan.args say, for provision_make() or
 * dry_run_print(). In every case the caller calls new_finish(). */
int new_check(struct new_session *n, struct err *err);
void new_finish(struct new_session *n);

#endif
