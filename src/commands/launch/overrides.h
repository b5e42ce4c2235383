/*
 * overrides.h - options of one session that its command line sets: -o KEY=VALUE
 * and the flags of its container. They are stored with the session
 * (spec.overrides), so that a later start does not lose a limit; the table of
 * options checks them.
 */
#ifndef AFW_COMMANDS_LAUNCH_OVERRIDES_H
#define AFW_COMMANDS_LAUNCH_OVERRIDES_H

#include "base/err.h"
#include "base/mem.h"
#include "config/config.h"

struct args;

/* Whether args have any. */
bool overrides_given(const struct args *args);

/*
 * Puts those of args into overrides, "KEY=VALUE" each, in place of older ones
 * of the same key. A session that exists (which its command starts again)
 * accepts no option that only `afw new` reads, and -o KEY alone removes one.
 * ERR_USAGE, with the nearest name, if a key or a value is not allowed.
 */
int overrides_read(const struct args *args, bool exists,
		   struct strv *overrides, struct err *err);

/* Refuses a flag of the container if the session has none. After the sandbox
 * was chosen. */
int overrides_check(const struct args *args, const char *sandbox,
		    struct err *err);

/* Sets them in the configuration. */
int overrides_lay(struct config *c, const struct strv *overrides,
		  struct err *err);

#endif
