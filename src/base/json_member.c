/* json_member.c - a struct's members as an object's, by a table. */
#include "base/json_member.h"

#include <stdlib.h>

#include "base/json.h"

static char **string_at(void *base, const struct json_member *m)
{
	return (char **)(void *)((char *)base + m->offset);
}

void json_strings_set(cJSON *o, const struct json_member *table,
		      const void *base)
{
	for (const struct json_member *m = table; m->key; m++)
		json_set_str(o, m->key,
			     *(char *const *)(const void *)((const char *)base +
							    m->offset));
}

void json_strings_get(const cJSON *o, const struct json_member *table,
		      void *base)
{
	for (const struct json_member *m = table; m->key; m++)
		*string_at(base, m) = mem_strdup(json_str(o, m->key));
}

void json_strings_free(const struct json_member *table, void *base)
{
	for (const struct json_member *m = table; m->key; m++) {
		free(*string_at(base, m));
		*string_at(base, m) = NULL;
	}
}

int64_t *json_int_at(void *base, const struct json_member *m)
{
	return (int64_t *)(void *)((char *)base + m->offset);
}

int64_t json_int_of(const void *base, const struct json_member *m)
{
	return *(const int64_t *)(const void *)((const char *)base + m->offset);
}
