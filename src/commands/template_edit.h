/* template_edit.h - the user's own editor on a template's files. */
#ifndef AFW_COMMANDS_TEMPLATE_EDIT_H
#define AFW_COMMANDS_TEMPLATE_EDIT_H

#include "base/err.h"

/*
 * Runs $VISUAL, else $EDITOR, else vi, split into words (no shell), with
 * template.ini and prompt.md of dir as its last arguments, on our terminal.
 * Blocks until it has ended; -1 with err where that was no success.
 */
int template_edit(const char *dir, struct err *err);

#endif
