/* sign_options.h - the options for signing commits (OPTION_ROWS_SIGN). */
#ifndef AFW_COMMANDS_SIGN_OPTIONS_H
#define AFW_COMMANDS_SIGN_OPTIONS_H

#include "commands/command.h"
#include "wire/worktree_request.h"

struct sign_choice sign_options(const struct args *args);

#endif
