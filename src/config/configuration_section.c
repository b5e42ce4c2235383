/* configuration_section.c - sections that the user gives a name, as they are
 * laid over each other. */
#include <stdlib.h>

#include "base/json.h"
#include "base/nearest.h"
#include "config/configuration_internal.h"
#include "config/section.h"

const cJSON *config_named(const struct config *c, const char *kind,
			  const char *name)
{
	const cJSON *all = cJSON_GetObjectItemCaseSensitive(c->sections, kind);

	return name ? cJSON_GetObjectItemCaseSensitive(all, name) : all;
}

cJSON *config_sections(const struct config *c, const char *kind,
		       struct err *err)
{
	cJSON *out = cJSON_CreateArray(), *whole;
	const cJSON *section;

	cJSON_ArrayForEach (section, config_named(c, kind, NULL)) {
		whole = section_whole(section_kind(kind), section, err);
		if (!whole) {
			cJSON_Delete(out);
			return NULL;
		}
		cJSON_AddItemToArray(out, whole);
	}
	return out;
}
