/*
 * session_vars.h - the variables that name what only one session has: its ten
 * ports, AFW_PORT and AFW_PORT_1 to AFW_PORT_9, and AFW_SLUG.
 */
#ifndef AFW_BASE_SESSION_VARS_H
#define AFW_BASE_SESSION_VARS_H

#include <stddef.h>

#include "base/mem.h"

#define SESSION_PORTS 10

/* Parses "20000-29999": ports from low to high. Returns what is wrong with it,
 * or NULL. */
const char *session_vars_range(const char *text, int *low, int *high);

/* Sets them in env, or removes them: port 0 or slug NULL, there is none. */
void session_vars_set(int port, const char *slug, struct strv *env);

/* Returns the length of the ${AFW_PORT...} or ${AFW_SLUG} that text begins
 * with; 0: of none. */
size_t session_vars_match(const char *text);

/* Returns text, to be freed, with these replaced by their values in env; those
 * without a value, and all else, stay as they are. */
char *session_vars_expand(const char *text, const struct strv *env);

/* The same in each text of list. */
void session_vars_expand_all(struct strv *list, const struct strv *env);

#endif
