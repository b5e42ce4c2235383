/* ask.h - a question to the user, on their terminal. */
#ifndef AFW_COMMANDS_CLI_ASK_H
#define AFW_COMMANDS_CLI_ASK_H

#include <stdbool.h>

/* Whether there is a terminal to ask on. */
bool ask_possible(void);

/* Prints the question, made safe, and " [y/N] "; returns whether the answer
 * begins with y. */
bool ask_yes(const char *question);

#endif
