/* json_member.c - a struct's members as an object's, by a table. */
#include "base/json_member.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"

union member {
	char *str;
	struct strv strv;
	int number;
	int64_t number64;
	uint64_t u64;
	bool boolean;
	cJSON *value;
};

static union member *at(const void *base, const struct json_member *m)
{
	return (void *)((char *)(size_t)base + m->offset);
}

static void set_time(cJSON *o, const char *key, int64_t ms)
{
	char text[CLOCK_RFC3339_SIZE];

	clock_format(ms, text);
	json_set_str(o, key, ms > 0 ? text : NULL);
}

void json_members_set(cJSON *o, const struct json_member *table,
		      const void *base)
{
	for (const struct json_member *m = table; m->key; m++) {
		const union member *from = at(base, m);

		if (m->kind == JSON_STR)
			json_set_str(o, m->key, from->str);
		else if (m->kind == JSON_STRV)
			json_set_strv(o, m->key, &from->strv);
		else if (m->kind == JSON_INT)
			json_set_int(o, m->key, from->number);
		else if (m->kind == JSON_INT64)
			json_set_int(o, m->key, from->number64);
		else if (m->kind == JSON_U64)
			json_set_u64(o, m->key, from->u64);
		else if (m->kind == JSON_BOOL && from->boolean)
			json_set_bool(o, m->key, true);
		else if (m->kind == JSON_TIME)
			set_time(o, m->key, from->number64);
		else if (m->kind == JSON_VALUE && from->value)
			cJSON_AddItemToObject(o, m->key,
					      cJSON_Duplicate(from->value, 1));
	}
}

void json_members_get(cJSON *o, const struct json_member *table, void *base)
{
	for (const struct json_member *m = table; m->key; m++) {
		cJSON *v = cJSON_GetObjectItemCaseSensitive(o, m->key);
		union member *to = at(base, m);

		if (m->kind == JSON_STR)
			to->str = mem_strdup(cJSON_GetStringValue(v));
		else if (m->kind == JSON_STRV)
			json_strv(o, m->key, &to->strv);
		else if (m->kind == JSON_INT)
			to->number = (int)json_int(o, m->key, m->other);
		else if (m->kind == JSON_INT64)
			to->number64 = json_int(o, m->key, m->other);
		else if (m->kind == JSON_U64)
			to->u64 = json_u64(o, m->key, 0);
		else if (m->kind == JSON_BOOL)
			to->boolean = cJSON_IsTrue(v);
		else if (m->kind == JSON_TIME && cJSON_IsString(v))
			to->number64 = clock_parse(v->valuestring);
		else if (m->kind == JSON_VALUE && v && v->type == m->other)
			to->value = cJSON_DetachItemViaPointer(o, v);
	}
}

void json_members_free(const struct json_member *table, void *base)
{
	for (const struct json_member *m = table; m->key; m++) {
		union member *it = at(base, m);

		if (m->kind == JSON_STR)
			free(it->str);
		else if (m->kind == JSON_STRV)
			strv_finish(&it->strv);
		else if (m->kind == JSON_VALUE)
			cJSON_Delete(it->value);
	}
}
