/*
 * json_member.h - members of a struct that are members of a JSON object by
 * the same table, for writing, reading and freeing.
 */
#ifndef AFW_SESSION_JSON_MEMBER_H
#define AFW_SESSION_JSON_MEMBER_H

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>

/* What it is in the struct; strings, lists and values are the struct's own. */
enum json_kind {
	JSON_STR, /* char * */
	JSON_STRV,
	JSON_INT,
	JSON_INT64,
	JSON_U64,
	JSON_BOOL,
	JSON_TIME,  /* int64_t, wall ms */
	JSON_VALUE, /* cJSON *; other: its type */
};

struct json_member {
	const char *key; /* NULL ends a table */
	size_t offset;	 /* offsetof() in the struct that base points to */
	enum json_kind kind;
	int64_t other; /* a number's where there is none */
};

#define JSON_MEMBER(type, member, key, kind, other)                            \
	{                                                                      \
		key, offsetof(struct type, member), JSON_##kind, other         \
	}

/* What is NULL, false or no time is not written. */
void json_members_set(cJSON *o, const struct json_member *table,
		      const void *base);
/* Into a struct that is just cleared; values are taken out of o. */
void json_members_get(cJSON *o, const struct json_member *table, void *base);
void json_members_free(const struct json_member *table, void *base);

#endif
