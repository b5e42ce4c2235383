/* trust.h - asking whether a repository is trusted: `afw trust`, `afw new`. */
#ifndef AFW_COMMANDS_TRUST_H
#define AFW_COMMANDS_TRUST_H

#include "base/err.h"

/*
 * Shows on the terminal what is in repository's .af/, asks, and trusts
 * what was shown. -1 where the answer is no. Blocks for the answer.
 */
int trust_ask(const char *repository, struct err *err);

#endif
