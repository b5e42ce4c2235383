/*
 * plan.h - what `new` and every start take: read, chosen and checked before
 * anything is made or changed.
 */
#ifndef AFW_COMMANDS_LAUNCH_PLAN_H
#define AFW_COMMANDS_LAUNCH_PLAN_H

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "config/config.h"
#include "config/template.h"
#include "session/spec.h"

struct args;

struct plan {
	const struct args *args;
	struct config *config;	     /* after plan_lay(): that of the session */
	struct expand_values values; /* of the template; borrowed */
	bool dry_run;		     /* nothing is made, or pulled */
	bool pulls;		     /* the image, were it no dry run */
	struct strv env;	     /* "K=V": of -e, --env-file and env_file */
	struct buf message;	     /* the task */
};

void plan_finish(struct plan *p);
#define _plan_ CLEANUP(plan_finish)

/* Reads -m, -F, -e and --env-file. */
int plan_read(struct plan *p, struct err *err);

/* Lays the profile, the template and the overrides of s over the
 * configuration. */
int plan_lay(struct plan *p, const struct spec *s, struct err *err);

/*
 * Chooses what a new session is, into s: by the options, else by the
 * configuration, as it is after plan_lay(): backend, sandbox, harness,
 * services, image, what the harness is told, sizes. ERR_USAGE or ERR_REFUSED if
 * it could not be started so.
 */
int plan_choose(struct plan *p, struct spec *s, struct err *err);

#endif
