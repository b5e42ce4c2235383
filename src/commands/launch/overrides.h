/*
 * overrides.h - options of one session, set on its command line by -o KEY=VALUE
 * and by the flags of its container. They are stored with the session
 * (spec.overrides), so that a later start keeps its limits; the table of
 * options checks them.
 */
#ifndef AFW_COMMANDS_LAUNCH_OVERRIDES_H
#define AFW_COMMANDS_LAUNCH_OVERRIDES_H

#include "base/err.h"
#include "base/mem.h"
#include "config/config.h"

struct args;

/* Returns whether args have any. */
bool overrides_given(const struct args *args);

/*
 * Adds those of args to overrides, as "KEY=VALUE", replacing the same keys. A
 * session that exists (and is started again) accepts no option that only `afw
 * new` reads, and -o KEY without a value removes one. ERR_USAGE, with the
 * nearest name, if a key or a value is not allowed.
 */
int overrides_read(const struct args *args, bool exists, struct strv *overrides,
		   struct err *err);

/* Refuses a flag of the container if the session has none. Call it when the
 * sandbox is chosen. */
int overrides_check(const struct args *args, const char *sandbox,
		    struct err *err);

/* Sets them in the configuration. */
int overrides_lay(struct config *c, const struct strv *overrides,
		  struct err *err);

#endif
