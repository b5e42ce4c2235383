/* template_check.h - checks that a template can be used. */
#ifndef AFW_COMMANDS_LAUNCH_TEMPLATE_CHECK_H
#define AFW_COMMANDS_LAUNCH_TEMPLATE_CHECK_H

#include <cjson/cJSON.h>

#include "base/err.h"

/*
 * Checks everything that can be checked without a session: its keys and values,
 * that its harness is known and installed, its services, its prompt text and
 * its home/. Appends each mistake, with FILE:LINE if it has one, to mistakes,
 * an array of strings. -1 with err if there is no such template or the
 * configuration cannot be loaded.
 */
int template_check(const char *name, cJSON *mistakes, struct err *err);

#endif
