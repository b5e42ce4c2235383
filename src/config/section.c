/*
 * section.c - which keys are allowed in which section, and the values of
 * sections that a user names. section_kinds.c has the kinds of these, with
 * their keys.
 */
#include "config/section.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/nearest.h"

#define KEYS_MAX	 (OPTION_COUNT + 8) /* keys of a kind, or all kinds */
#define HARNESS_KEYS_MAX 64		    /* compared with a mistyped one */

const char *section_check_name(const char *name)
{
	return options[OPTION_HARNESS].check(name);
}

const struct section_kind *section_kind(const char *name)
{
	const struct section_kind *k = section_kinds;

	while (strcmp(k->name, name) != 0)
		k++;
	return k;
}

static bool is_kind(const char *section, size_t len, const char *kind)
{
	return strlen(kind) == len && strncmp(section, kind, len) == 0;
}

const struct section_kind *section_find(const char *section, const char **name)
{
	const struct section_kind *k = section_kinds;
	size_t len = strcspn(section, ".");

	for (; section[len] && k->name; k++)
		if (is_kind(section, len, k->name) ||
		    (k->also && is_kind(section, len, k->also))) {
			*name = section + len + 1;
			return k;
		}
	return NULL;
}

/* Adds the kind that was probably meant; false if there is none. */
static bool append_kind(struct err *err, const char *section)
{
	const char *names[KEYS_MAX] = {"harness", NULL};
	_free_ char *kind = mem_strndup(section, strcspn(section, "."));

	for (size_t i = 0; section_kinds[i].name; i++)
		names[i + 1] = section_kinds[i].name;
	return nearest_append(err, kind, names, "[", ".NAME]");
}

/* Returns the i-th key; NULL after the last. */
static const struct option *key_at(const struct section_kind *kind, size_t i)
{
	if (kind->keys)
		return kind->keys[i].name ? &kind->keys[i] : NULL;
	for (int id = 0; id < OPTION_COUNT; id++)
		if (options[id].session && i-- == 0)
			return &options[id];
	return NULL;
}

const struct option *section_key(const struct section_kind *kind,
				 const char *key, struct err *err)
{
	const char *names[KEYS_MAX + 1] = {NULL};
	const struct option *k;

	for (size_t i = 0; (k = key_at(kind, i)); i++) {
		if (strcmp(k->name, key) == 0)
			return k;
		names[i] = k->name;
	}
	if (!kind->keys && option_find(key) >= 0) {
		err_set(err, ERR_FAILED,
			"'%s' is not allowed in [%s.NAME]: it is not an option "
			"of one session",
			key, kind->name);
		return NULL;
	}
	err_set(err, ERR_FAILED, "unknown key '%s' in [%s.NAME]", key,
		kind->name);
	if (!nearest_append(err, key, names, "'", "'"))
		err_hint(err, "afw.ini(5) lists them");
	return NULL;
}

/* -- sections without a name ----------------------------------------------- */

/* True if the part of an option's name before the dot is name (or there is
 * none). */
static bool in_section(const struct option *o, const char *section)
{
	const char *dot = strchr(o->name, '.');
	size_t len = strlen(section);

	if (!dot)
		return len == 0;
	return (size_t)(dot - o->name) == len &&
	       strncmp(o->name, section, len) == 0;
}

static const char *bare_name(const struct option *o)
{
	const char *dot = strchr(o->name, '.');

	return dot ? dot + 1 : o->name;
}

static int unknown_section(const char *section, struct err *err)
{
	_strv_ struct strv names = {0};

	err_set(err, ERR_FAILED, "unknown section [%s]", section);
	if (append_kind(err, section))
		return -1;
	for (int i = 0; i < OPTION_COUNT; i++) {
		const char *name = options[i].name, *dot = strchr(name, '.');

		if (dot)
			strv_addf(&names, "%.*s", (int)(dot - name), name);
	}
	nearest_append(err, section, (const char *const *)names.v, "[", "]");
	return -1;
}

static int unknown_key(const char *section, const char *key, struct err *err)
{
	const char *names[OPTION_COUNT + 1] = {NULL};
	_free_ char *name = NULL;
	size_t n = 0;

	for (int i = 0; i < OPTION_COUNT; i++)
		if (in_section(&options[i], section))
			names[n++] = bare_name(&options[i]);
	if (n == 0)
		return unknown_section(section, err);
	if (section[0] != '\0' && option_find(key) >= 0)
		return err_set(err, ERR_FAILED,
			       "'%s' does not belong in [%s]: it goes before "
			       "the first section",
			       key, section);
	name = mem_printf("%s%s%s", section, *section ? "." : "", key);
	err_set(err, ERR_FAILED, "unknown key '%s'", key);
	if (option_removed(name))
		return err_hint(err, "it was removed: %s",
				option_removed(name));
	if (nearest_append(err, key, names, "'", "'"))
		return -1;
	for (int i = 0; i < OPTION_COUNT; i++)
		if (strcmp(bare_name(&options[i]), key) == 0)
			return err_set(err, ERR_FAILED,
				       "unknown key '%s' (did you mean '%s', "
				       "in its section?)",
				       key, options[i].name);
	return err_hint(err, "`afw config` lists all keys");
}

int section_find_option(const char *section, const char *key, struct err *err)
{
	for (int i = 0; i < OPTION_COUNT; i++)
		if (in_section(&options[i], section) &&
		    strcmp(bare_name(&options[i]), key) == 0)
			return i;
	return unknown_key(section, key, err);
}

/* -- what files say -------------------------------------------------------- */

int section_add(cJSON *section, const struct option *key, const char *text,
		const char *place, struct err *err)
{
	cJSON *said = json_get(section, key->name), *o;
	CLEANUP(option_value_finish) struct option_value v = {0};

	if (option_parse(key, text, &v, err) < 0)
		return -1;
	if (!said || key->type != OPTION_LIST)
		said = json_set_array(section, key->name);
	o = cJSON_CreateObject();
	json_set_str(o, "text", text);
	json_set_str(o, "place", place);
	cJSON_AddItemToArray(said, o);
	return 0;
}

const cJSON *section_read_key(const cJSON *section, const struct option *key,
			      struct option_value *out)
{
	const cJSON *said = json_get(section, key->name);
	const cJSON *one;

	if (!said && key->value)
		option_parse(key, key->value, out, NULL);
	cJSON_ArrayForEach (one, said)
		option_parse(key, json_str_or(one, "text", ""), out, NULL);
	return said;
}

/* True for a string or a list that is not empty. */
static bool has(const cJSON *o, const char *key)
{
	const cJSON *is = json_get(o, key);

	return is && (is->child || (is->valuestring && *is->valuestring));
}

static int check_needs(const struct section_kind *kind, const cJSON *section,
		       const cJSON *whole, struct err *err)
{
	const char *one = kind->needs[0], *other = kind->needs[1];
	int n = one ? has(whole, one) + (other && has(whole, other)) : 1;
	const cJSON *first = section->child ? section->child->child : NULL;

	if (n == 1)
		return 0;
	if (!other)
		err_set(err, ERR_FAILED, "[%s.%s] needs a %s", kind->name,
			section->string, one);
	else
		err_set(err, ERR_FAILED, "[%s.%s] %s %s %s %s", kind->name,
			section->string, n ? "has both" : "needs either", one,
			n ? "and" : "or", other);
	return err_prefix(err, "%s", json_str_or(first, "place", ""));
}

cJSON *section_whole(const struct section_kind *kind, const cJSON *section,
		     struct err *err)
{
	_json_ cJSON *o = cJSON_CreateObject();
	const struct option *k;

	json_set_str(o, "name", section->string);
	for (size_t i = 0; (k = key_at(kind, i)); i++) {
		CLEANUP(option_value_finish) struct option_value v = {0};

		if (section_read_key(section, k, &v) || k->value)
			option_value_json(k, &v, k->name, o);
	}
	return check_needs(kind, section, o, err) < 0 ? NULL : TAKE_PTR(o);
}

/* -- harnesses ------------------------------------------------------------- */

static int find_harness_key(const struct section_harness_keys *keys,
			    const char *key, struct section_harness_key *out,
			    struct err *err)
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
	err_set(err, ERR_FAILED, "unknown key '%s' of an agent", key);
	if (!nearest_append(err, key, names, "'", "'"))
		err_hint(err, "afw-adapters(5) lists them");
	return -1;
}

int section_add_harness(cJSON *harness, const struct section_harness_keys *keys,
			const char *key, const char *value, struct err *err)
{
	struct section_harness_key k;
	_strv_ struct strv values = {0};
	cJSON *list;

	if (find_harness_key(keys, key, &k, err) < 0)
		return -1;
	while (*value) {
		size_t len = k.many ? strcspn(value, "\n") : strlen(value);

		strv_take(&values, mem_strndup(value, len));
		value += len + (value[len] == '\n');
	}
	for (char *c = values.n ? values.v[0] : NULL; c && *c; c++)
		if (*c == '\n')
			*c = ' ';
	list = json_get(harness, key);
	/* An empty value removes the values of an overridden file. */
	if (!list || !k.many || !values.n)
		list = json_set_array(harness, key);
	for (size_t i = 0; i < values.n; i++) {
		if (keys && keys->check &&
		    keys->check(key, values.v[i], err) < 0)
			return -1;
		cJSON_AddItemToArray(list, cJSON_CreateString(values.v[i]));
	}
	return 0;
}
