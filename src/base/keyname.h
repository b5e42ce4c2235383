/*
 * keyname.h - names of keys, as tmux users write them, and the bytes that
 * terminals send for them.
 *
 * A name is "C-" (control), "M-" (alt) and "S-" (shift) in any order, before
 * one printable character or one of Space, Tab, Enter, Escape, Backspace,
 * Up, Down, Left, Right, Home, End, PageUp, PageDown, Insert, Delete,
 * F1 to F12 (any case; tmux's short forms too). "^x" is "C-x".
 */
#ifndef AFW_BASE_KEYNAME_H
#define AFW_BASE_KEYNAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

#define KEYNAME_FORMS 8
#define KEYNAME_BYTES 23

/*
 * The forms of a key: first a plain terminal's (C-Enter has none), then xterm's
 * modifyOtherKeys, then the shortest of the kitty protocol: without locks,
 * event types and alternate codes of the key. Bytes may be NUL (C-Space).
 */
struct keyname {
	struct {
		unsigned char len;
		char bytes[KEYNAME_BYTES];
	} forms[KEYNAME_FORMS];
	size_t n;
	size_t legacy; /* the number of plain forms, which are first */
};

/* Parses a key's name. ERR_FAILED: unknown, with a suggestion. */
int keyname_parse(const char *text, struct keyname *out, struct err *err);

/*
 * As keyname_parse(), but refuses keys that people need to type: plain
 * characters, and keys that a terminal cannot distinguish from Enter, Tab,
 * Escape or Backspace (C-m, C-i, C-[, C-?).
 */
int keyname_parse_detach(const char *text, struct keyname *out,
			 struct err *err);

/*
 * Appends the bytes of one argument of `afw send --keys`: a key in the form
 * that the terminal's modes require (app_cursor: DECCKM; kitty: its protocol is
 * on, for keys without a plain form), or the text itself, if it is not a key's
 * name. ERR_USAGE: control characters, a key that this terminal has no form
 * for, or text that is almost a key's name.
 */
int keyname_type(const char *word, bool app_cursor, bool kitty, struct buf *out,
		 struct err *err);

/* Returns a key's name for people: "Ctrl-C" for "C-c"; to be freed. */
char *keyname_spoken(const char *name);

/* Appends the forms in hexadecimal ("1c"), for formats without NUL. */
void keyname_hex(const struct keyname *key, struct strv *out);

#endif
