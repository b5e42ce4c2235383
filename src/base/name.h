/* name.h - what a session, or a group of them, may be called. */
#ifndef AFW_BASE_NAME_H
#define AFW_BASE_NAME_H

#include "base/err.h"

#define NAME_CHECK_MAX 64 /* characters */

/* [A-Za-z0-9_][A-Za-z0-9._-]{0,63} without "..", and nothing git would refuse
 * in a branch; NULL is empty. ERR_USAGE with the reason. */
int name_check(const char *name, struct err *err);

#endif
