/* editor.h - the user's own editor. */
#ifndef AFW_COMMANDS_EDITOR_H
#define AFW_COMMANDS_EDITOR_H

#include "base/buf.h"
#include "base/err.h"

/*
 * Runs the user's editor (config_editor(), no shell), with files (NULL ends) as its last arguments, on our terminal. Blocks until it has
 * ended; -1 with err where it could not be run, or that was no success.
 */
int editor_run(const char *const *files, struct err *err);

/* A new file of that text for it, in TMPDIR, by whose suffix (".ini") the
 * editor knows what it is: its path, to be freed. NULL with err. */
char *editor_copy(const struct buf *text, const char *suffix, struct err *err);

#endif
