/*
 * keymap.c - makes the map of all actions' keys. A key of the user's is taken
 * from the action that has it by default, so that a new key of a new version
 * breaks nothing for a user who has bound it to another action.
 */
#include "config/keymap.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/words.h"

static const enum option_id ids[] = {
    OPTION_COUNT, /* rows count from 1 */
#define KEY(act, ...) OPTION_KEYS_##act,
#include "config/keys.def"
#undef KEY
};

#define IDS (int)(sizeof ids / sizeof ids[0])

static struct keymap_key *find(const struct keymap *map,
			       const struct keyname *key)
{
	for (size_t i = 0; i < map->n; i++) {
		const struct keyname *has = &map->v[i].key;

		if (has->forms[0].len == key->forms[0].len &&
		    memcmp(has->forms[0].bytes, key->forms[0].bytes,
			   key->forms[0].len) == 0)
			return &map->v[i];
	}
	return NULL;
}

int keymap_find_action(const struct keymap *map, const struct keyname *key)
{
	const struct keymap_key *has = find(map, key);

	return has ? has->act : 0;
}

static bool is_default(const struct config *c, int act)
{
	return !c || strcmp(config_origin(c, ids[act]), "default") == 0;
}

static int err_conflict(const struct config *c, int act, int other,
			const char *name, struct err *err)
{
	err_set(err, ERR_FAILED, "%s: '%.40s' is a key of %s",
		options[ids[act]].name, name, options[ids[other]].name);
	err_prefix(err, "%s", config_origin(c, ids[act]));
	return err_hint(err, "set another key for %s, or none",
			options[ids[other]].name);
}

static void drop(struct keymap *map, struct keymap_key *k)
{
	free(k->name);
	map->n--;
	memmove(k, k + 1, (size_t)(map->v + map->n - k) * sizeof *k);
}

static int add(struct keymap *map, const struct config *c, int act,
	       const char *name, struct err *err)
{
	struct keymap_key one = {.act = act}, *has;
	bool ours = !is_default(c, act), theirs;

	if (keyname_parse(name, &one.key, err) < 0)
		return -1;
	has = find(map, &one.key);
	theirs = has && !is_default(c, has->act);
	if (has && (has->act == act || (theirs && !ours)))
		return 0;
	if (has && theirs == ours)
		return err_conflict(c, act, has->act, name, err);
	if (has)
		drop(map, has);
	one.name = mem_strdup(name);
	map->v = mem_realloc(map->v, (map->n + 1) * sizeof one);
	map->v[map->n++] = one;
	return 0;
}

/* Unlike an action's key, a command's takes no default from an action: the user
 * would lose it without a word. */
static int add_command(struct keymap *map, const cJSON *all, int i,
		       struct err *err)
{
	const cJSON *o = cJSON_GetArrayItem(all, i);
	const char *key = json_str_or(o, "key", "");
	const char *name = json_str_or(o, "name", "");
	struct keymap_key one = {.act = KEYMAP_COMMANDS + i}, *has;

	if (!*key)
		return 0;
	if (keyname_parse(key, &one.key, err) < 0)
		return err_prefix(err, "command.%s.key", name);
	has = find(map, &one.key);
	if (has) {
		bool action = has->act < KEYMAP_COMMANDS;
		const cJSON *other =
		    action
			? NULL
			: cJSON_GetArrayItem(all, has->act - KEYMAP_COMMANDS);

		err_set(err, ERR_FAILED,
			"command.%s.key: '%.40s' is a key of %s%s", name, key,
			action ? "" : "command.",
			action ? options[ids[has->act]].name
			       : json_str_or(other, "name", ""));
		return err_hint(err, "set another key for one of them");
	}
	one.name = mem_strdup(key);
	map->v = mem_realloc(map->v, (map->n + 1) * sizeof one);
	map->v[map->n++] = one;
	return 0;
}

static int add_commands(struct keymap *map, const struct config *c,
			struct err *err)
{
	_json_ cJSON *all = c ? config_sections(c, "command", err) : NULL;
	int rc = c && !all ? -1 : 0;

	for (int i = 0; rc == 0 && all && i < cJSON_GetArraySize(all); i++)
		rc = add_command(map, all, i, err);
	return rc;
}

static bool has_action(const struct keymap *map, enum option_id id)
{
	for (size_t i = 0; i < map->n; i++)
		if (map->v[i].act < KEYMAP_COMMANDS && ids[map->v[i].act] == id)
			return true;
	return false;
}

int keymap_make(struct keymap *map, const struct config *c, struct err *err)
{
	int rc = 0;

	*map = (struct keymap){0};
	for (int act = 1; rc == 0 && act < IDS; act++) {
		_strv_ struct strv names = {0};

		if (c)
			strv_copy(&names, config_list(c, ids[act]));
		else
			words_split(options[ids[act]].value, &names, NULL);
		for (size_t i = 0; rc == 0 && i < names.n; i++)
			rc = add(map, c, act, names.v[i], err);
	}
	if (rc == 0 && !has_action(map, OPTION_KEYS_QUIT)) {
		err_set(err, ERR_FAILED,
			"keys.quit: the dashboard needs a "
			"key to leave it");
		rc = err_prefix(err, "%s", config_origin(c, OPTION_KEYS_QUIT));
	}
	if (rc == 0)
		rc = add_commands(map, c, err);
	if (rc < 0)
		keymap_finish(map);
	return rc;
}

void keymap_finish(struct keymap *map)
{
	for (size_t i = 0; i < map->n; i++)
		free(map->v[i].name);
	free(map->v);
	*map = (struct keymap){0};
}
