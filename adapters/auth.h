/*
 * auth.h - how a harness may log in, as found in an environment and in the
 * user's own files. Results are names and paths only, never a value; of
 * credential files only their existence is checked, except settings that select
 * a method, and whether Codex stores a key.
 */
#ifndef AFW_ADAPTERS_AUTH_H
#define AFW_ADAPTERS_AUTH_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/mem.h"

/* May start zeroed; auth_finish() frees. Texts for people. */
struct auth {
	struct strv found; /* "ANTHROPIC_API_KEY", "/home/x/.codex/auth.json" */
	char *chosen;  /* the login that the harness uses, one of found; NULL:
			  none */
	char *needs;   /* what is missing, or NULL */
	bool by_token; /* chosen is a key, of which each token is paid for: no
			  subscription */
};
void auth_finish(struct auth *a); /* may be NULL */

/*
 * Returns the value of a variable of env ("K=V", NULL ends; env may be NULL),
 * or NULL; borrowed. auth_env() returns NULL for an empty one, too.
 */
const char *environ_get(const char *const *env, const char *name);
const char *auth_env(const char *const *env, const char *name);

/* Adds the variable to found if it is set; the first way found (by any of
 * these) becomes the chosen one. */
bool auth_add_env(const char *const *env, const char *name, struct auth *out);

/* The same for a file that exists and is not empty; path is freed. */
bool auth_add_file(char *path, struct auth *out);

/* Adds something else ("login in the keychain"). */
void auth_add(struct auth *out, const char *what);

/* Returns $variable/name if the variable is set, else $HOME/dir/name, or NULL;
 * to be freed. name NULL: the directory itself. */
char *auth_path(const char *const *env, const char *variable, const char *dir,
		const char *name);

#endif
