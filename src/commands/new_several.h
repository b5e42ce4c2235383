/* new_several.h - afw new with several agents. */
#ifndef AFW_COMMANDS_NEW_SEVERAL_H
#define AFW_COMMANDS_NEW_SEVERAL_H

#include "commands/new_words.h"

/*
 * Makes a session for each agent of -a, from the same commit. All are checked
 * before the first is made; if one then fails, those before it stay, and the
 * hint of err names them.
 */
int new_several(const struct new_words *words, struct err *err);

#endif
