/* harnesses.h - finds the coding agents of this machine and chooses one for a
 * new session. */
#ifndef AFW_COMMANDS_LAUNCH_HARNESSES_H
#define AFW_COMMANDS_LAUNCH_HARNESSES_H

#include <stdbool.h>

#include "adapters/adapter.h"
#include "config/config.h"
#include "session/spec.h"

#define HARNESS_STAND_IN "demo" /* what needs no installation */

struct harness {
	char *name;
	const struct adapter *adapter;
	char *path;    /* its program's; NULL: not installed */
	char *version; /* as its program prints it, or NULL */
	bool can_resume, takes_mcp;
	bool has_auth; /* auth is set */
	struct auth auth;
	char *problem; /* the error in its configuration; or NULL */
	char *hint;    /* how to install it, or NULL */
	char *tried;   /* the version that afw was tried with; then, if not with
			  turns, a comma and the parts that were tried; "not
			  tried"; NULL: unknown */
};

struct harness_list {
	struct harness *v;
	size_t n;
};

/*
 * Lists all adapters except generic, then the other agents of share/adapters
 * except the stand-in, then the harnesses of the configuration.
 * versions: runs each program to ask for its version, which takes up to 5 s
 * each.
 */
void harness_list_load(struct harness_list *l, const struct config *c,
		       bool versions);
/* Returns the version that afw was tried with if its program's is known and
 * another one, to be freed; else NULL. */
char *harness_other_version(const struct harness *h);
void harness_list_finish(struct harness_list *l);

/* Returns its section of the configuration, for the caller to delete; NULL with
 * err if there is no such harness. */
cJSON *harness_section(const struct config *config, const char *name,
		       struct err *err);

/* Refuses on_limit = handoff:AGENT if there is no such agent. */
int harness_check_handoff(const struct config *config, struct err *err);

struct args;

/*
 * Chooses the harness by -a, by `-- COMMAND` without -a (the generic harness),
 * or by the configuration. If that names none and the default is not installed,
 * chooses the first that is installed, with a warning. Sets harness, command
 * and harness_config of s, and checks that the program is installed.
 */
int harness_choose(const struct args *args, const struct config *config,
		   struct spec *s, struct err *err);

#endif
