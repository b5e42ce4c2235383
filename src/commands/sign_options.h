/* sign_options.h - the options for signing commits (OPTION_ROWS_SIGN). */
#ifndef AFW_COMMANDS_SIGN_OPTIONS_H
#define AFW_COMMANDS_SIGN_OPTIONS_H

#include "base/json.h"
#include "commands/command.h"

/* Adds the options to a request. */
void sign_options_add(const struct args *args, cJSON *request);

#endif
