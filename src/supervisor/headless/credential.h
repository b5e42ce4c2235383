/*
 * credential.h - gives git GITHUB_TOKEN by its credential interface
 * (gitcredentials(7)): for one server alone, and from the environment.
 */
#ifndef AFW_SUPERVISOR_HEADLESS_CREDENTIAL_H
#define AFW_SUPERVISOR_HEADLESS_CREDENTIAL_H

#include "base/err.h"
#include "base/mem.h"

/* GITHUB_SERVER_URL of env, or https://github.com; to be freed. */
char *credential_server(const struct strv *env);

/*
 * If env has a token, adds configuration of git to it, as variables: for that
 * server afw-supervisor is the only helper, so that none of the user's stores
 * the token. Does nothing if there is none. program is how a sandbox runs
 * afw-supervisor; empty: as here.
 */
int credential_set_env(struct strv *env, const struct strv *program,
		       struct err *err);

/* `afw-supervisor credential OPERATION`: the helper. Returns its exit code. */
int credential_run(const char *operation);

#endif
