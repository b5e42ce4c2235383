/* beside.h - terminals that the user keeps beside a session's agent: `afw exec
 * --attach`, and `!` in the dashboard. */
#ifndef AFW_COMMANDS_BESIDE_H
#define AFW_COMMANDS_BESIDE_H

#include "base/mem.h"
#include "session/session.h"

/*
 * Shows the terminal of that name on this one until the user detaches or it
 * ends; if it does not run, first starts the command in it (no words: the
 * user's shell) as `afw exec` does. Blocks.
 */
int beside_attach(const struct session *s, const char *name,
		  const char *const *command, size_t n, struct err *err);

/* Returns whether the session has such terminals: one system call. */
bool beside_exists(const struct session *s);

/* Ends them, and deletes what is stored of them; what fails is a warning.
 * Blocks. */
void beside_end(const struct session *s);

#endif
