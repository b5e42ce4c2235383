/* keymap.h - the dashboard's keys as configured in [keys]. */
#ifndef AFW_CONFIG_KEYMAP_H
#define AFW_CONFIG_KEYMAP_H

#include "base/keyname.h"
#include "config/config.h"

#define KEYMAP_COMMANDS 1000

struct keymap_key {
	int act;    /* the row of keys.def, from 1; from KEYMAP_COMMANDS on a
		       section [command.NAME], in their order */
	char *name; /* as the user wrote it */
	struct keyname key;
};

struct keymap {
	struct keymap_key *v;
	size_t n;
};

/*
 * Makes the map of all keys, in the order of keys.def; c NULL: the defaults. -1
 * with err, which names the file and line, if the user has given a key to two
 * actions, or no key quits, or the key of a command is an action's or another
 * command's.
 */
int keymap_make(struct keymap *map, const struct config *c, struct err *err);
void keymap_finish(struct keymap *map);

/* Returns the action of a key as a terminal sends it (C-i is Tab too), or 0. */
int keymap_find_action(const struct keymap *map, const struct keyname *key);

#endif
