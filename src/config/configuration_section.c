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

void config_section_names(const struct config *c, const char *kind,
			  struct strv *out)
{
	const cJSON *section;

	cJSON_ArrayForEach (section, config_named(c, kind, NULL)) {
		strv_add(out, section->string);
	}
}

static int unknown(const struct config *c, const char *name, struct err *err)
{
	struct strv names = {0};
	const char *best;

	config_section_names(c, "profile", &names);
	best = names.n ? nearest_of(name, (const char *const *)names.v) : NULL;
	err_set(err, ERR_USAGE, "there is no profile '%.60s'", name);
	if (best)
		err_hint(err, "did you mean %s?", best);
	else if (c->untrusted)
		err_hint(err, "%s is not trusted and is left out",
			 c->untrusted);
	else
		err_hint(err, "a section [profile.%.32s] of afw.ini makes one",
			 name);
	strv_finish(&names);
	return -1;
}

int config_lay_profile(struct config *c, const char *name, struct err *err)
{
	const cJSON *profile = config_named(c, "profile", name), *key, *said;

	if (!profile)
		return unknown(c, name, err);
	cJSON_ArrayForEach (key, profile) {
		int id = option_find(key->string);

		cJSON_ArrayForEach (said, key)
			if (config_put(c, (enum option_id)id,
				       json_str(said, "text"),
				       json_str(said, "place"), err) < 0)
				return -1;
	}
	return 0;
}
