/* ask.h - a question to the user, on their terminal. */
#ifndef AFW_COMMANDS_CLI_ASK_H
#define AFW_COMMANDS_CLI_ASK_H

#include <stdbool.h>

/* Returns whether there is a terminal to ask on. */
bool ask_possible(void);

/* Prints the question, made safe, and " [y/N] ", and reads a line. Returns
 * whether the line begins with y. Blocks. */
bool ask_yes(const char *question);

#endif
