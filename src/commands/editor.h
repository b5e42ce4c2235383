/* editor.h - the user's own editor. */
#ifndef AFW_COMMANDS_EDITOR_H
#define AFW_COMMANDS_EDITOR_H

#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"

/*
 * Runs the user's editor on the user's terminal, with files (NULL ends) as its
 * last arguments. The editor is config_editor(); for a commit's message, if the
 * option editor is empty, the one that git uses, which is a line for a shell.
 * Blocks until the editor has ended; -1 with err if it could not be run or
 * failed.
 */
int editor_run(const char *const *files, bool commit, struct err *err);

/* Makes the option editor, if it is set, git's editor in that environment. */
void editor_set_env(struct strv *env);

#endif
