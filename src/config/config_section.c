/* config_section.c - sections that the user gives a name, as they are
 * laid over each other. */
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/nearest.h"
#include "config/config_edit.h"
#include "config/config_load.h"
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

/* -- by name --------------------------------------------------------------- */

static int get_said(const struct config *c, const struct config_name *name,
		    struct config_setting *out, struct err *err)
{
	const char *of;
	const struct section_kind *kind = section_find(name->section, &of);
	const cJSON *section = config_named(c, kind->name, of);
	const cJSON *said =
	    cJSON_GetObjectItemCaseSensitive(section, name->key);
	const cJSON *one;

	if (!section)
		return err_set(err, ERR_FAILED, "there is no [%s]",
			       name->section);
	out->origin = "default";
	if (!said && name->option->value)
		option_parse(name->option, name->option->value, &out->value,
			     NULL);
	cJSON_ArrayForEach (one, said) {
		option_parse(name->option, json_str(one, "text"), &out->value,
			     NULL);
		out->origin = json_str(one, "place");
	}
	return 0;
}

int config_get(const struct config *c, const char *name,
	       struct config_setting *out, struct err *err)
{
	int id = option_find(name), rc = 0;
	struct config_name parts;

	*out = (struct config_setting){0};
	if (id < 0) {
		if (config_name_parse(name, &parts, err) < 0)
			return -1;
		out->option = parts.option;
		rc = get_said(c, &parts, out, err);
		config_name_finish(&parts);
		return rc;
	}
	out->option = &options[id];
	out->origin = config_origin(c, (enum option_id)id);
	out->value.number = c->values[id].number;
	out->value.string = mem_strdup(c->values[id].string);
	strv_copy(&out->value.list, &c->values[id].list);
	return 0;
}

void config_setting_finish(struct config_setting *s)
{
	option_value_finish(&s->value);
	*s = (struct config_setting){0};
}

void config_names(const struct config *c, struct strv *out)
{
	const cJSON *section, *key;

	for (int i = 0; i < OPTION_COUNT; i++)
		strv_add(out, options[i].name);
	for (const struct section_kind *k = section_kinds; k->name; k++)
		cJSON_ArrayForEach (section, config_named(c, k->name, NULL))
			cJSON_ArrayForEach (key, section)
				strv_addf(out, "%s.%s.%s", k->name,
					  section->string, key->string);
}

/* -- profiles -------------------------------------------------------------- */

static int unknown(const struct config *c, const char *name, struct err *err)
{
	_strv_ struct strv names = {0};

	config_section_names(c, "profile", &names);
	err_set(err, ERR_USAGE, "there is no profile '%.60s'", name);
	if (nearest_hint(err, name, (const char *const *)names.v))
		return -1;
	if (c->untrusted)
		return err_hint(err, "%s is not trusted and is left out",
				c->untrusted);
	return err_hint(err, "a section [profile.%.32s] of afw.ini makes one",
			name);
}

int config_apply_profile(struct config *c, const char *name, struct err *err)
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
