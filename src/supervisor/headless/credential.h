/*
 * credential.h - gives GITHUB_TOKEN to git through git's credential interface
 * (gitcredentials(7)): for one server only, and from the environment.
 */
#ifndef AFW_SUPERVISOR_HEADLESS_CREDENTIAL_H
#define AFW_SUPERVISOR_HEADLESS_CREDENTIAL_H

#include "base/err.h"
#include "base/mem.h"

/* Returns GITHUB_SERVER_URL of env, or https://github.com; to be freed. */
char *credential_server(const struct strv *env);

/*
 * If env has a token, adds git configuration to env, as variables: for that
 * server afw-supervisor is the only helper, so that none of the user's helpers
 * stores the token. Does nothing without a token. program: how a sandbox runs
 * afw-supervisor; empty: as outside of one.
 */
int credential_set_env(struct strv *env, const struct strv *program,
		       struct err *err);

/* Runs the helper, `afw-supervisor credential OPERATION`. Returns its exit
 * code. */
int credential_run(const char *operation);

#endif
