/* env_list.c - each name is once in the list. */
#include "base/env_list.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool env_is_name(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] != '_' && !isalnum((unsigned char)text[i]))
			return false;
	return len > 0 && !isdigit((unsigned char)text[0]);
}

void env_apply(struct strv *env, const char *entry)
{
	size_t len = strcspn(entry, "="), to = 0;

	for (size_t i = 0; i < env->n; i++) {
		char *e = env->v[i];

		if (strncmp(e, entry, len) == 0 && e[len] == '=') {
			explicit_bzero(e, strlen(e));
			free(e);
		} else {
			env->v[to++] = e;
		}
	}
	env->n = to;
	if (env->v)
		env->v[to] = NULL;
	if (entry[len])
		strv_add(env, entry);
}

void env_set(struct strv *env, const char *name, const char *value)
{
	char *entry = mem_printf("%s=%s", name, value);

	env_apply(env, entry);
	free(entry);
}

const char *env_get(const struct strv *env, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < env->n; i++)
		if (strncmp(env->v[i], name, len) == 0 && env->v[i][len] == '=')
			return env->v[i] + len + 1;
	return NULL;
}
