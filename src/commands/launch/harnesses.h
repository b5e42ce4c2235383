/* harnesses.h - which coding agents there are on this machine, and which of
 * them a new session gets. */
#ifndef AFW_COMMANDS_LAUNCH_HARNESSES_H
#define AFW_COMMANDS_LAUNCH_HARNESSES_H

#include <stdbool.h>

#include "adapters/adapter.h"
#include "config/config.h"
#include "session/spec.h"

struct harness {
	char *name;
	const struct adapter *adapter;
	char *path;    /* of its program; NULL: not installed */
	char *version; /* what it says of itself, or NULL */
	bool has_auth; /* something is known of how it logs in: auth */
	struct auth auth;
	char *problem; /* its configuration is wrong: how; or NULL */
};

struct harness_list {
	struct harness *v;
	size_t n;
};

/*
 * All adapters but generic, then what the configuration adds. versions: asks
 * every program for its own, which takes up to 5 s each.
 */
void harness_list_load(struct harness_list *l, const struct config *c,
		       bool versions);
void harness_list_finish(struct harness_list *l);

/* What the configuration says of it, to be deleted; NULL with err where there
 * is no such harness. */
cJSON *harness_section(const struct config *config, const char *name,
		       struct err *err);

struct args;

/*
 * From -a, from `-- COMMAND` without -a (the generic harness), or from the
 * configuration (the first that is installed, where that says nothing and the
 * default is not; warns of it): fills harness, command and harness_config of s,
 * and makes sure that the program is installed.
 */
int harness_choose(const struct args *args, const struct config *config,
		   struct spec *s, struct err *err);

#endif
