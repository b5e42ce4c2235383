/* trust.h - asks whether a repository is trusted: `afw trust`, `afw new`. */
#ifndef AFW_COMMANDS_TRUST_H
#define AFW_COMMANDS_TRUST_H

#include "base/err.h"

/* Shows the files of the repository's .af/ on the terminal, asks, and trusts
 * what was shown. -1 with err if the answer is no. Blocks for the answer. */
int trust_confirm(const char *repository, struct err *err);

#endif
