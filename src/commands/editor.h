/* editor.h - the user's own editor. */
#ifndef AFW_COMMANDS_EDITOR_H
#define AFW_COMMANDS_EDITOR_H

#include "base/err.h"

/*
 * Runs the user's editor (config_editor(), no shell), with files (NULL ends)
 * as its last arguments, on our terminal. Blocks until it has ended; -1 with err where it could not be run, or that was no success.
 */
int editor_run(const char *const *files, struct err *err);

#endif
