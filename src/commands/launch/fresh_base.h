/* fresh_base.h - fetches the base of a new session from its remote. */
#ifndef AFW_COMMANDS_LAUNCH_FRESH_BASE_H
#define AFW_COMMANDS_LAUNCH_FRESH_BASE_H

#include "commands/launch/provision.h"

/*
 * With `new --fetch` or the option fetch: fetches the remote branch of the base
 * and, if the base is a local branch that is strictly behind it, sets n->fresh
 * and n->commit to the remote's commit. Does nothing for a dry run, a session
 * that starts from another one, or if n->commit is set. A failure is only a
 * warning. Blocks for half a minute at most.
 */
void fresh_base_find(struct new_session *n);

#endif
