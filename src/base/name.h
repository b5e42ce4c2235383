/* name.h - checks names of sessions and groups. */
#ifndef AFW_BASE_NAME_H
#define AFW_BASE_NAME_H

#include "base/err.h"

#define NAME_CHECK_MAX 64 /* characters */

/* Checks for [A-Za-z0-9_][A-Za-z0-9._-]{0,63} without "..", and nothing that
 * git refuses in a branch; NULL counts as empty. ERR_USAGE with the reason. */
int name_check(const char *name, struct err *err);

#endif
