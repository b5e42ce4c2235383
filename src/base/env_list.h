/* env_list.h - a list of "K=V", as in an environment. */
#ifndef AFW_BASE_ENV_LIST_H
#define AFW_BASE_ENV_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

/* Returns whether text[0..len) can be the name of a variable. */
bool env_is_name(const char *text, size_t len);

/* Sets K for "K=V", removes it for "K". Wipes the old value. */
void env_apply(struct strv *env, const char *entry);
void env_set(struct strv *env, const char *name, const char *value);

/* Its value, borrowed; NULL: it is not set. */
const char *env_get(const struct strv *env, const char *name);

#endif
