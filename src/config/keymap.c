/*
 * keymap.c - makes the map of all actions' keys. Only the dashboard refuses a
 * conflict, so that a new key of a new version cannot break every command of a
 * user who has bound it to another action.
 */
#include "config/keymap.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/words.h"

static const enum option_id ids[] = {
    OPTION_COUNT, /* rows count from 1 */
#define KEY(act, ...) OPTION_KEYS_##act,
#include "config/keys.def"
#undef KEY
};

#define IDS (int)(sizeof ids / sizeof ids[0])

int keymap_find_action(const struct keymap *map, const struct keyname *key)
{
	for (size_t i = 0; i < map->n; i++) {
		const struct keyname *has = &map->v[i].key;

		if (has->forms[0].len == key->forms[0].len &&
		    memcmp(has->forms[0].bytes, key->forms[0].bytes,
			   key->forms[0].len) == 0)
			return map->v[i].act;
	}
	return 0;
}

/* Reports the action whose key is from a file, not the one with a default. */
static int err_conflict(const struct config *c, int act, int other,
			const char *name, struct err *err)
{
	if (strcmp(config_origin(c, ids[act]), "default") == 0) {
		int said = other;

		other = act;
		act = said;
	}
	err_set(err, ERR_FAILED, "%s: '%.40s' is a key of %s",
		options[ids[act]].name, name, options[ids[other]].name);
	err_prefix(err, "%s", config_origin(c, ids[act]));
	return err_hint(err, "set another key for %s, or none",
			options[ids[other]].name);
}

static int add(struct keymap *map, const struct config *c, int act,
	       const char *name, struct err *err)
{
	struct keymap_key one = {.act = act};
	int other;

	if (keyname_parse(name, &one.key, err) < 0)
		return -1;
	other = keymap_find_action(map, &one.key);
	if (other == act)
		return 0;
	if (other)
		return err_conflict(c, act, other, name, err);
	one.name = mem_strdup(name);
	map->v = mem_realloc(map->v, (map->n + 1) * sizeof one);
	map->v[map->n++] = one;
	return 0;
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
	if (rc == 0 && c && config_list(c, OPTION_KEYS_QUIT)->n == 0) {
		err_set(err, ERR_FAILED,
			"keys.quit: the dashboard needs a "
			"key to leave it");
		rc = err_prefix(err, "%s", config_origin(c, OPTION_KEYS_QUIT));
	}
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
