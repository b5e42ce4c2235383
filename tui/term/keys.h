/*
 * keys.h - the keys of the list: what they do, how they are called, what the
 * footer and the help say of them. One table, config/keys.def, for they are
 * options, too.
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

/* The user's keys; with NULL, and where they are refused (-1 with err), those
 * that are there by default. */
int keys_set(const struct config *c, struct err *err);
void keys_finish(void);

enum act keys_act(struct key k);

/* An action's first key, for people ("Ctrl-L"), or "(no key)"; and all of
 * them ("j, Down"). Both until keys_set(). */
const char *keys_name(enum act act);
const char *keys_names(enum act act);
bool keys_has(enum act act); /* it has one */

/* text with "{down}" become the first key of that action, "j"; to be freed. */
char *keys_fill(const char *text);

const char *keys_word(enum act act); /* in the footer, or "" */
const char *keys_help(enum act act);

/* A key that was pressed, as base/keyname.h has it; "" where it has none. */
void key_unparse(struct key k, char *out, size_t size);

#endif
