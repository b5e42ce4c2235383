/* template_check.h - whether a template can be used. */
#ifndef AFW_COMMANDS_LAUNCH_TEMPLATE_CHECK_H
#define AFW_COMMANDS_LAUNCH_TEMPLATE_CHECK_H

#include <cjson/cJSON.h>

#include "base/err.h"

/*
 * All that can be known before there is a session: its keys and values, that
 * its harness is known and installed, its services whole, its prompt text, its
 * home/ sound. Adds each mistake, FILE:LINE before it where it has one, to
 * mistakes, an array of strings. -1 with err where there is no such template
 * or the configuration cannot be loaded.
 */
int template_check(const char *name, cJSON *mistakes, struct err *err);

#endif
