/* after.h - the session after which another one starts. */
#ifndef AFW_COMMANDS_LAUNCH_AFTER_H
#define AFW_COMMANDS_LAUNCH_AFTER_H

#include <signal.h>

#include "commands/launch/provision.h"

/*
 * Reads --after into the specification of n; does nothing without the option.
 * Refuses a session that does not exist, is of another repository, or can no
 * longer complete, and options that contradict --after.
 */
int after_choose(struct new_session *n, struct err *err);

/* Returns 0 if the session after which s starts may still complete. */
int after_check(const struct spec *s, struct err *err);

/*
 * Waits until that session has completed its turn and its check, if it has one,
 * has passed; its branch, with its commits up to then, becomes s->base. Work
 * that it has not committed is reported in notes. -1 if it can no longer
 * complete, or once *stop is not 0. 1 if *why, why it needs the user to
 * complete, has changed: call again. *why may be NULL, and is freed. Blocks.
 */
int after_wait(struct spec *s, const volatile sig_atomic_t *stop, char **why,
	       struct strv *notes, struct err *err);

#endif
