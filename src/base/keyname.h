/*
 * keyname.h - keys by name, as tmux users write them, and the bytes that
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
 * What the key may look like: first what a plain terminal sends (may be
 * absent: C-Enter has no such form), then xterm's modifyOtherKeys, then the
 * kitty protocol's, the shortest: without locks, event types and other codes
 * of the key. Bytes may hold NUL (C-Space).
 */
struct keyname {
	struct {
		unsigned char len;
		char bytes[KEYNAME_BYTES];
	} forms[KEYNAME_FORMS];
	size_t n;
	size_t legacy; /* so many of them, the first, are plain */
};

/* ERR_FAILED: no such key, and what it may have been. */
int keyname_parse(const char *text, struct keyname *out, struct err *err);

/*
 * As keyname_parse(), and refuses keys that people need to type: plain
 * characters, and whatever a terminal cannot tell from Enter, Tab, Escape or
 * Backspace (C-m, C-i, C-[, C-?).
 */
int keyname_parse_detach(const char *text, struct keyname *out,
			 struct err *err);

/*
 * Appends what one argument of `afw send --keys` types: a key in the form
 * that the terminal's modes ask for (app_cursor: DECCKM; kitty: its protocol
 * is on, for keys that have no plain form), or, where it is no key's name, the
 * text itself. ERR_USAGE: control characters, a key that this terminal has no
 * form for, or what is nearly a key's name.
 */
int keyname_type(const char *word, bool app_cursor, bool kitty,
		 struct buf *out, struct err *err);

/* A key's name as people know it: "Ctrl-C" for "C-c"; to be freed. */
char *keyname_spoken(const char *name);

/* The forms in hexadecimal, appended ("1c"), for places without NUL. */
void keyname_hex(const struct keyname *key, struct strv *out);

#endif
