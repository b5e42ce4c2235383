/*
 * layer.c - a harness's settings as an object of lists of strings, which is
 * the form in which they travel in spec.json (adapters/screen/rules.h).
 */
#include "config/layer.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/words.h"
#include "config/option.h"

#define HARNESS_KEYS_MAX 64 /* that a mistyped one is compared with */

const char *section_check_name(const char *name)
{
	return options[OPTION_HARNESS].check(name);
}

cJSON *layer_of(cJSON *harnesses, const char *name)
{
	cJSON *o = cJSON_GetObjectItemCaseSensitive(harnesses, name);

	return o ? o : json_set_object(harnesses, name);
}

static int find_key(const struct section_harness_keys *keys, const char *key,
		    struct section_harness_key *out, struct err *err)
{
	const char *names[HARNESS_KEYS_MAX + 1] = {NULL};

	*out = (struct section_harness_key){.name = key};
	if (!keys)
		return 0;
	for (size_t i = 0; keys->at(i, out); i++) {
		if (strcmp(out->name, key) == 0)
			return 0;
		if (i < HARNESS_KEYS_MAX)
			names[i] = out->name;
	}
	err_set(err, ERR_FAILED, "unknown key '%s' of a harness", key);
	if (!nearest_append(err, key, names, "'", "'"))
		err_hint(err, "afw-adapters(5) lists them");
	return -1;
}

static int add_value(cJSON *list, const struct section_harness_keys *keys,
		     const char *key, const char *value, struct err *err)
{
	if (keys && keys->check && keys->check(key, value, err) < 0)
		return -1;
	cJSON_AddItemToArray(list, cJSON_CreateString(value));
	return 0;
}

/* Each line of value is one of many values. */
static int add_lines(cJSON *list, const struct section_harness_keys *keys,
		     const char *key, const char *value, struct err *err)
{
	while (*value) {
		size_t len = strcspn(value, "\n");
		char *line = mem_strndup(value, len);
		int rc = add_value(list, keys, key, line, err);

		free(line);
		if (rc < 0)
			return -1;
		value += len + (value[len] == '\n');
	}
	return 0;
}

int layer_add(cJSON *harness, const struct section_harness_keys *keys,
	      const char *key, const char *value, struct err *err)
{
	struct section_harness_key k;
	cJSON *list;
	char *joined;
	int rc;

	if (find_key(keys, key, &k, err) < 0)
		return -1;
	list = cJSON_GetObjectItemCaseSensitive(harness, key);
	/* An empty value takes away what a file below this one says. */
	if (!list || !k.many || value[0] == '\0')
		list = json_set_array(harness, key);
	if (value[0] == '\0')
		return 0;
	if (k.many)
		return add_lines(list, keys, key, value, err);
	joined = mem_strdup(value);
	for (char *nl = joined; (nl = strchr(nl, '\n'));)
		*nl = ' ';
	rc = add_value(list, keys, key, joined, err);
	free(joined);
	return rc;
}

void layer_over(cJSON *base, const cJSON *what)
{
	const cJSON *c;

	cJSON_ArrayForEach (c, what) {
		cJSON_DeleteItemFromObjectCaseSensitive(base, c->string);
		if (cJSON_GetArraySize(c) > 0)
			cJSON_AddItemToObject(base, c->string,
					      cJSON_Duplicate(c, true));
	}
}

void layer_find_shared(cJSON *harness, const char *dir)
{
	static const char mark[] = "{share}/";
	cJSON *c, *list = cJSON_GetObjectItemCaseSensitive(harness, "command");

	cJSON_ArrayForEach (c, list) {
		const char *rest = c->valuestring + strlen(mark);
		size_t len;
		char *path;
		struct buf command = {0};

		if (strncmp(c->valuestring, mark, strlen(mark)) != 0)
			continue;
		len = strcspn(rest, WORDS_BLANKS);
		path = mem_printf("%s/%.*s", dir, (int)len, rest);
		words_format(&command, path);
		buf_adds(&command, rest + len);
		cJSON_SetValuestring(c, command.data);
		buf_finish(&command);
		free(path);
	}
}
