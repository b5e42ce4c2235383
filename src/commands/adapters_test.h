/* adapters_test.h - afw adapters test FILE…: recordings, replayed. */
#ifndef AFW_COMMANDS_ADAPTERS_TEST_H
#define AFW_COMMANDS_ADAPTERS_TEST_H

#include "commands/command.h"

/*
 * Becomes `afw-supervisor replay` with the files behind the word "test" and
 * the rules of all harnesses as the configuration has them here and now.
 * Returns only where that cannot be.
 */
int adapters_test(const struct args *args, struct err *err);

#endif
