/* after.h - the session that another one is to start after. */
#ifndef AFW_COMMANDS_LAUNCH_AFTER_H
#define AFW_COMMANDS_LAUNCH_AFTER_H

#include <signal.h>

#include "commands/launch/provision.h"

/*
 * What --after says of n, into its specification. Refused where that session
 * is not there or another repository's, or can no longer complete, and beside
 * options that make no sense with it. Without the option it does nothing.
 */
int after_choose(struct new_session *n, struct err *err);

/* Whether the session that s is to start after may still complete. */
int after_check(const struct spec *s, struct err *err);

/*
 * Waits until that session has completed its turn, and its check, where it has
 * one, has passed; its branch becomes s->base, with its commits up to then.
 * What it has not committed is told in notes. -1 where it never will, or once
 * *stop is not 0. Blocks.
 */
int after_wait(struct spec *s, const volatile sig_atomic_t *stop,
	       struct strv *notes, struct err *err);

#endif
