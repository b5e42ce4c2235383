/* halt.h - lets a signal end a landing, or a check, in order: what was made for
 * it is removed, and what has landed is said. */
#ifndef AFW_COMMANDS_LAND_HALT_H
#define AFW_COMMANDS_LAND_HALT_H

#include <signal.h>
#include <stdbool.h>

#include "base/err.h"

/* From now on each wait ends after a signal. A second one ends the process. */
void halt_catch(void);

/* Not 0: there was a signal. Other waits end by it, too. */
const volatile sig_atomic_t *halt_flag(void);
bool halt_is_set(void);

/* Returns -1, with the exit code of an interrupted command. */
int halt_err(struct err *err);

#endif
