/* json_member.c - a struct's members as an object's, by a table. */
#include "session/json_member.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"

/* A member, which lies where its own type may lie. */
#define IS(type) (*(type *)member)

static void *at(const void *base, const struct json_member *m)
{
	return (char *)(size_t)base + m->offset;
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
		void *member = at(base, m);

		if (m->kind == JSON_STR)
			json_set_str(o, m->key, IS(char *));
		else if (m->kind == JSON_STRV)
			json_set_strv(o, m->key, &IS(struct strv));
		else if (m->kind == JSON_INT)
			json_set_int(o, m->key, IS(int));
		else if (m->kind == JSON_INT64)
			json_set_int(o, m->key, IS(int64_t));
		else if (m->kind == JSON_U64)
			json_set_u64(o, m->key, IS(uint64_t));
		else if (m->kind == JSON_BOOL && IS(bool))
			json_set_bool(o, m->key, true);
		else if (m->kind == JSON_TIME)
			set_time(o, m->key, IS(int64_t));
		else if (m->kind == JSON_VALUE && IS(cJSON *))
			cJSON_AddItemToObject(o, m->key,
					      cJSON_Duplicate(IS(cJSON *), 1));
	}
}

void json_members_get(cJSON *o, const struct json_member *table, void *base)
{
	for (const struct json_member *m = table; m->key; m++) {
		cJSON *v = cJSON_GetObjectItemCaseSensitive(o, m->key);
		void *member = at(base, m);

		if (m->kind == JSON_STR)
			IS(char *) = mem_strdup(cJSON_GetStringValue(v));
		else if (m->kind == JSON_STRV)
			json_strv(o, m->key, &IS(struct strv));
		else if (m->kind == JSON_INT)
			IS(int) = (int)json_int(o, m->key, m->other);
		else if (m->kind == JSON_INT64)
			IS(int64_t) = json_int(o, m->key, m->other);
		else if (m->kind == JSON_U64)
			IS(uint64_t) = json_u64(o, m->key, 0);
		else if (m->kind == JSON_BOOL)
			IS(bool) = cJSON_IsTrue(v);
		else if (m->kind == JSON_TIME && cJSON_IsString(v))
			IS(int64_t) = clock_parse(v->valuestring);
		else if (m->kind == JSON_VALUE && v && v->type == m->other)
			IS(cJSON *) = cJSON_DetachItemViaPointer(o, v);
	}
}

void json_members_free(const struct json_member *table, void *base)
{
	for (const struct json_member *m = table; m->key; m++) {
		void *member = at(base, m);

		if (m->kind == JSON_STR)
			free(IS(char *));
		else if (m->kind == JSON_STRV)
			strv_finish(&IS(struct strv));
		else if (m->kind == JSON_VALUE)
			cJSON_Delete(IS(cJSON *));
	}
}
