/* keymap.h - the dashboard's keys, as the user has them: [keys]. */
#ifndef AFW_CONFIG_KEYMAP_H
#define AFW_CONFIG_KEYMAP_H

#include "base/keyname.h"
#include "config/config.h"

struct keymap_key {
	int act;    /* the row of keys.def, from 1 */
	char *name; /* as the user wrote it */
	struct keyname key;
};

struct keymap {
	struct keymap_key *v;
	size_t n;
};

/*
 * All keys, in the order of keys.def; c NULL: those that are there by default.
 * -1 with err, which names the file and line: one key is two actions', or none
 * leaves.
 */
int keymap_make(struct keymap *map, const struct config *c, struct err *err);
void keymap_finish(struct keymap *map);

/* What a terminal sends as key (C-i for Tab, too): its action, or 0. */
int keymap_find_action(const struct keymap *map, const struct keyname *key);

#endif
