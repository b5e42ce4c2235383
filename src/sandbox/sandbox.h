/*
 * sandbox.h - what confines the harness: one vtable, one struct per tier.
 *
 * A tier turns the harness's command line into the one that is run. What it
 * cannot enforce it says in degraded, never in silence.
 */
#ifndef AFW_SANDBOX_SANDBOX_H
#define AFW_SANDBOX_SANDBOX_H

#include "base/err.h"
#include "base/mem.h"

struct sandbox {
	const char *name;
	/* One line for the user: what it gives. */
	const char *promise;
	/* Is it usable here? -1 with what is missing. */
	int (*check)(struct err *err);
	/* Rewrites argv and env in place; adds to degraded. */
	int (*wrap)(struct strv *argv, struct strv *env,
		    struct strv *degraded, struct err *err);
};

extern const struct sandbox *const sandboxes[]; /* NULL ends */
const struct sandbox *sandbox_find(const char *name);

#endif
