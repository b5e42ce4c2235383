/* plan.h - the input of `new` and of every start, read, chosen and checked
 * before anything is made or changed. */
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
	struct config *config;	     /* after plan_lay(): the session's */
	struct expand_values values; /* for the template; borrowed */
	bool dry_run;		     /* makes nothing */
	struct strv env;	     /* "K=V" of -e, --env-file and env_file */
	struct buf message;	     /* the task */
};

void plan_finish(struct plan *p);
#define _plan_ CLEANUP(plan_finish)

/* Reads -m, -F, -e and --env-file. */
int plan_read(struct plan *p, struct err *err);

/* Applies the profile, the template and the overrides of s to the
 * configuration. */
int plan_lay(struct plan *p, const struct spec *s, struct err *err);

/*
 * Sets in s what a new session is, by the options, else by the configuration
 * after plan_lay(): backend, sandbox, harness, services, image, system prompt,
 * instructions and MCP servers, sizes. ERR_USAGE or ERR_REFUSED if it could not
 * be started.
 */
int plan_choose(struct plan *p, struct spec *s, struct err *err);

#endif
