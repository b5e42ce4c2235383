/*
 * auth.h - how a harness may log in: what is found in an environment and in
 * the user's own files. Names and paths only: no value is ever read into the
 * result, and of credential files only their existence counts, unless a
 * harness's settings say which method it takes.
 */
#ifndef AFW_ADAPTERS_AUTH_H
#define AFW_ADAPTERS_AUTH_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/mem.h"

/* A zeroed one is empty; auth_finish() frees. Texts for a person. */
struct auth {
	struct strv found; /* "ANTHROPIC_API_KEY", "/home/x/.codex/auth.json" */
	char *chosen; /* the one of found that the harness takes; NULL: none */
	char *needs;  /* what is missing, where none (or not all) is there */
};
void auth_finish(struct auth *a); /* NULL does nothing */

/*
 * The value of a variable of env ("K=V", NULL ends, or is all of it), or NULL;
 * borrowed. auth_env(): not of one that is empty.
 */
const char *environ_get(const char *const *env, const char *name);
const char *auth_env(const char *const *env, const char *name);

/* Adds the variable to found where it is set; the first one that is found
 * (by any of these) becomes the chosen one. */
bool auth_add_env(const char *const *env, const char *name, struct auth *out);

/* The same for a file that is there and not empty; path is freed. */
bool auth_add_file(char *path, struct auth *out);

/* Adds something else ("login in the keychain"). */
void auth_add(struct auth *out, const char *what);

/* $variable/name where the variable is set, else $HOME/dir/name, or NULL; to
 * be freed. name NULL: the directory itself. */
char *auth_path(const char *const *env, const char *variable, const char *dir,
		const char *name);

#endif
