/*
 * keys.h - the keys of the list: their actions, their names, and their texts in
 * the footer and the help. config/keys.def is the only table, because keys are
 * options too.
 */
#ifndef AFW_TUI_TERM_KEYS_H
#define AFW_TUI_TERM_KEYS_H

#include "config/config.h"
#include "tui/term/term.h"

enum act {
	ACT_NONE,
#define KEY(act, ...) ACT_##act,
#include "config/keys.def"
#undef KEY
	ACT_COUNT,
};

/* Sets the user's keys; with NULL, or if they are invalid (-1 with err), the
 * default ones. */
int keys_set(const struct config *c, struct err *err);
void keys_finish(void);

enum act keys_act(struct key k);
/* Returns the number of the section [command.NAME] that has the key, from 0; or
 * -1. */
int keys_command(struct key k);

/* Returns an action's first key for people ("Ctrl-L"), or "(no key)"; valid
 * until keys_set(). */
const char *keys_name(enum act act);
bool keys_has(enum act act); /* it has one */

/* Replaces "{down}" in text with the first key of that action, "j"; the caller
 * frees the result. */
char *keys_fill(const char *text);

const char *keys_action(enum act act); /* its name in afw.ini */
const char *keys_label(enum act act);  /* in the footer, or "" */
const char *keys_help(enum act act);

/* Names a key that was pressed, as base/keyname.h does; "" if it has no
 * name. */
void key_unparse(struct key k, char *out, size_t size);

#endif
