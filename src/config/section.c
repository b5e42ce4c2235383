/* section.c - the keys of sections that the user gives a name. */
#include "config/section.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/nearest.h"
#include "base/ready.h"

#define KEYS_MAX 32

static const char *check_env(const char *text)
{
	size_t len = strcspn(text, "=");

	for (size_t i = 0; i < len; i++)
		if (text[i] != '_' && !isalnum((unsigned char)text[i]))
			len = 0;
	return len && !isdigit((unsigned char)text[0])
		   ? NULL
		   : "it is neither NAME=VALUE nor a variable's name";
}

static const char *check_ready(const char *text)
{
	struct ready ready;

	return ready_parse(text, &ready);
}

static const char *const restarts[] = {"always", "on-failure", "never", NULL};

static const struct option service_keys[] = {
    {.name = "command", .type = OPTION_COMMAND, .value = ""},
    {.name = "restart",
     .type = OPTION_CHOICE,
     .value = "on-failure",
     .choices = restarts},
    {.name = "env", .type = OPTION_LIST, .value = "", .check = check_env},
    {.name = "ready", .type = OPTION_STRING, .value = "", .check = check_ready},
    {.name = "ready_timeout",
     .type = OPTION_DURATION,
     .value = "30s",
     .min = 100,
     .max = INT64_C(3600000)},
    {.name = NULL},
};

static const struct section_kind kinds[] = {
    {"service", service_keys, "command"},
    {NULL, NULL, NULL},
};

const struct section_kind *section_find(const char *section, const char **name)
{
	size_t len = strcspn(section, ".");

	for (const struct section_kind *k = kinds; section[len] && k->name; k++)
		if (strlen(k->name) == len &&
		    strncmp(section, k->name, len) == 0) {
			*name = section + len + 1;
			return k;
		}
	return NULL;
}

const char *section_nearest(const char *section)
{
	const char *names[KEYS_MAX] = {"harness", NULL}, *best;
	char *kind = mem_strndup(section, strcspn(section, "."));

	for (size_t i = 0; kinds[i].name; i++)
		names[i + 1] = kinds[i].name;
	best = nearest_of(kind, names);
	free(kind);
	return best;
}

static const struct option *find_key(const struct section_kind *kind,
				     const char *key, struct err *err)
{
	const char *names[KEYS_MAX + 1] = {NULL}, *best;

	for (size_t i = 0; kind->keys[i].name; i++) {
		if (strcmp(kind->keys[i].name, key) == 0)
			return &kind->keys[i];
		names[i] = kind->keys[i].name;
	}
	best = nearest_of(key, names);
	err_set(err, ERR_FAILED, "unknown key '%s' of a %s%s%s%s", key,
		kind->name, best ? " (did you mean '" : "", best ? best : "",
		best ? "'?)" : "");
	if (!best)
		err_hint(err, "afw.ini(5) lists them");
	return NULL;
}

static void member_name(const struct option *key, char out[40])
{
	snprintf(out, 40, "%s%s", key->name,
		 key->type == OPTION_DURATION ? "_ms" : "");
}

static void put(cJSON *section, const struct option *key,
		const struct option_value *v)
{
	char name[40];

	member_name(key, name);
	cJSON_DeleteItemFromObjectCaseSensitive(section, name);
	switch (key->type) {
	case OPTION_LIST:
	case OPTION_COMMAND:
		json_set_strv(section, name, &v->list);
		break;
	case OPTION_BOOL:
		json_set_bool(section, name, v->number);
		break;
	case OPTION_INT:
	case OPTION_DURATION:
	case OPTION_SIZE:
		json_set_int(section, name, v->number);
		break;
	case OPTION_STRING:
	case OPTION_CHOICE:
	case OPTION_KEY:
		json_set_str(section, name, v->string);
		break;
	}
}

static int set(const struct option *key, cJSON *section, const char *value,
	       struct err *err)
{
	struct option_value v = {0};
	int rc;

	if (key->type == OPTION_LIST)
		json_strv(section, key->name, &v.list);
	rc = option_parse(key, value, &v, err);
	if (rc == 0)
		put(section, key, &v);
	option_value_finish(&v);
	return rc;
}

int section_set(const struct section_kind *kind, cJSON *section,
		const char *key, const char *value, struct err *err)
{
	const struct option *k = find_key(kind, key, err);

	return k ? set(k, section, value, err) : -1;
}

cJSON *section_whole(const struct section_kind *kind, const cJSON *section,
		     struct err *err)
{
	cJSON *o = cJSON_Duplicate(section, 1);
	const cJSON *is;

	json_set_str(o, "name", section->string);
	for (const struct option *k = kind->keys; k->name; k++) {
		char name[40];

		member_name(k, name);
		if (!cJSON_HasObjectItem(o, name))
			set(k, o, k->value, NULL);
		is = cJSON_GetObjectItemCaseSensitive(o, name);
		if (kind->required && strcmp(k->name, kind->required) == 0 &&
		    !is->child && !(is->valuestring && *is->valuestring)) {
			err_set(err, ERR_FAILED, "[%s.%s] needs a %s",
				kind->name, section->string, k->name);
			cJSON_Delete(o);
			return NULL;
		}
	}
	return o;
}
