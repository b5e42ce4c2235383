/* lesson_section.c - the section that a lesson fills, value by value. */
#include "adapters/screen/lesson_internal.h"

#include <ctype.h>
#include <string.h>

#include "adapters/screen/pattern.h"
#include "base/json.h"

#define PATTERN_MAX 160 /* bytes: INI_LINE_MAX with a key */

void lesson_add_value(cJSON *section, const char *key, const char *value)
{
	cJSON *list = json_get(section, key), *v;

	cJSON_ArrayForEach (v, list)
		if (strcmp(v->valuestring, value) == 0)
			return;
	if (!list)
		list = json_set_array(section, key);
	cJSON_AddItemToArray(list, cJSON_CreateString(value));
}

bool lesson_add_pattern(cJSON *section, const char *key,
			const struct buf *pattern)
{
	if (pattern->len > PATTERN_MAX || pattern_fits_all(pattern->data))
		return false;
	lesson_add_value(section, key, pattern->data);
	return true;
}

const char *lesson_first_value(const cJSON *section, const char *key)
{
	const cJSON *list = json_get(section, key);

	return list ? list->child->valuestring : NULL;
}

size_t lesson_sign_length(const char *row, size_t from, size_t to)
{
	size_t n = strcspn(row + from, " ");

	for (size_t i = 0; i < n; i++)
		if (isalnum((unsigned char)row[from + i]))
			return 0;
	return from + n < to ? n : 0;
}
