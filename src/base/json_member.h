/*
 * json_member.h - members of a struct that are members of a JSON object by
 * the same table, for writing, reading and freeing.
 */
#ifndef AFW_BASE_JSON_MEMBER_H
#define AFW_BASE_JSON_MEMBER_H

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>

struct json_member {
	const char *key; /* NULL ends a table */
	size_t offset;	 /* offsetof() in the struct that base points to */
};

/* Members that are char *, owned by the struct; NULL is not written. */
void json_strings_set(cJSON *o, const struct json_member *table,
		      const void *base);
/* Replaces what is there without freeing it: for a struct just cleared. */
void json_strings_get(const cJSON *o, const struct json_member *table,
		      void *base);
void json_strings_free(const struct json_member *table, void *base);

/* Members that are int64_t. */
int64_t *json_int_at(void *base, const struct json_member *m);
int64_t json_int_of(const void *base, const struct json_member *m);

#endif
