/*
 * config_file.c - what stands in one file. It is read whole, checked
 * whole and only then laid over what was there, so that a mistake in its
 * last line does not leave its first ones in force.
 */
#include "config/config_load.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "config/expand.h"
#include "config/ini.h"
#include "config/layer.h"
#include "config/section.h"

#define HARNESS "harness" /* the kind of section that layer.h reads */

static int check_owner(const struct config_file *f, const struct option *o,
		       struct err *err)
{
	if (!f->repository || o->repository)
		return 0;
	return err_set(err, ERR_FAILED,
		       "'%s' is for the user to choose: it can only stand in "
		       "~/.config/afw/afw.ini",
		       o->name);
}

int config_put(struct config *c, enum option_id id, const char *value,
	       const char *place, struct err *err)
{
	/* Lists add up, but not to the default. */
	bool replaces = options[id].type == OPTION_LIST && !c->origins[id];
	struct option_value list = {0};

	if (option_parse(&options[id], value, replaces ? &list : &c->values[id],
			 err) < 0)
		return -1;
	if (replaces) {
		option_value_finish(&c->values[id]);
		c->values[id] = list;
	}
	free(c->origins[id]);
	c->origins[id] = mem_strdup(place);
	return 0;
}

/* Its value, to be freed, without the ${AFW_...} of a template. */
static char *value_of(struct config_file *f, const struct ini_entry *e,
		      bool words, struct err *err)
{
	struct buf out = {0};

	if (!f->values || !expand_has(e->value))
		return mem_strdup(e->value);
	f->names_branch |= strstr(e->value, "${AFW_BRANCH}") != NULL;
	if (config_expand(f->c, f->values, e->value, words, NULL, &out, err) <
	    0) {
		buf_finish(&out);
		return NULL;
	}
	return buf_steal(&out);
}

static bool has_words(enum option_type type)
{
	return type == OPTION_LIST || type == OPTION_COMMAND;
}

static bool is_words(const struct section_harness_keys *keys, const char *name)
{
	struct section_harness_key k;

	for (size_t i = 0; keys && keys->at(i, &k); i++)
		if (strcmp(k.name, name) == 0)
			return k.words;
	return false;
}

static int add_option(struct config_file *f, const struct ini_entry *e,
		      const char *place, struct err *err)
{
	int id = section_find_option(e->section, e->key, err), rc;
	char *value;

	if (id < 0 || check_owner(f, &options[id], err) < 0)
		return -1;
	value = value_of(f, e, has_words(options[id].type), err);
	if (!value)
		return -1;
	if (id == OPTION_BRANCH_PREFIX && f->names_branch)
		rc = err_set(err, ERR_FAILED,
			     "branch_prefix must stand before ${AFW_BRANCH}, "
			     "which it is a part of");
	else
		rc = config_put(f->c, (enum option_id)id, value, place, err);
	free(value);
	return rc;
}

/* An entry of a section with a name. */
static int add_named(struct config_file *f, const struct section_kind *kind,
		     const char *name, const struct ini_entry *e,
		     const char *place, struct err *err)
{
	const struct section_harness_keys *keys = f->c->harness_keys;
	const char *why = section_check_name(name);
	const struct option *key = NULL;
	cJSON *section;
	char *value;
	int rc;

	if (why)
		return err_set(err, ERR_FAILED, "[%s]: %s", e->section, why);
	if (kind) {
		key = section_key(kind, e->key, err);
		if (!key || check_owner(f, key, err) < 0)
			return -1;
	}
	section =
	    layer_of(layer_of(f->sections, kind ? kind->name : HARNESS), name);
	value = value_of(
	    f, e, key ? has_words(key->type) : is_words(keys, e->key), err);
	if (!value)
		return -1;
	rc = key ? section_add(section, key, value, place, err)
		 : layer_add(section, keys, e->key, value, err);
	free(value);
	return rc;
}

static int on_entry(void *ctx, const struct ini_entry *e, struct err *err)
{
	struct config_file *f = ctx;
	char place[INI_PLACE_SIZE];
	const char *name = NULL;
	const struct section_kind *kind = section_find(e->section, &name);

	if (strncmp(e->section, HARNESS ".", 8) == 0)
		name = e->section + 8;
	else if (f->harness && e->section[0] == '\0')
		name = f->harness;
	if (f->harness && (kind || !name || strcmp(name, f->harness) != 0))
		return err_set(err, ERR_FAILED,
			       "[%s] does not belong in the file of %s",
			       e->section, f->harness);
	ini_format_place(place, f->path, e->line);
	return name ? add_named(f, kind, name, e, place, err)
		    : add_option(f, e, place, err);
}

int config_file_text(struct config_file *f, const char *text, size_t len,
		     struct err *err)
{
	const cJSON *kind, *section;
	int rc;

	f->sections = cJSON_CreateObject();
	rc = ini_parse_text(f->path, text, len, on_entry, f, err);
	cJSON_ArrayForEach (kind, f->sections) {
		cJSON *all = layer_of(f->c->sections, kind->string);

		/* An empty list stays: it takes an adapter's away too. */
		cJSON_ArrayForEach (section, kind) {
			json_replace_members(layer_of(all, section->string),
					     section);
		}
	}
	cJSON_Delete(f->sections);
	f->sections = NULL;
	return rc;
}

int config_file_load(struct config_file *f, enum ini_owner owner,
		     struct err *err)
{
	struct buf text = {0};
	bool found;
	int rc = ini_load(f->path, owner, &text, &found, err);

	if (rc == 0 && found)
		rc = config_file_text(f, text.data, text.len, err);
	buf_finish(&text);
	return rc;
}
