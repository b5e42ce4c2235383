/* typed_keys.h - finds a person's typing in a terminal's input. */
#ifndef AFW_SUPERVISOR_TYPED_KEYS_H
#define AFW_SUPERVISOR_TYPED_KEYS_H

#include <stddef.h>

enum {
	TYPED_KEY = 1, /* any key */
	/* only Escape or Ctrl-C (once or several times), as plain bytes or in
	 * the kitty protocol's form: the keys that end a turn in some
	 * harness */
	TYPED_INTERRUPT = 2,
	TYPED_ENTER = 4,  /* among other keys, or a pasted line end */
	TYPED_CTRL_Z = 8, /* among other keys */
};

/*
 * Returns which of those are in data; 0 if data has only what terminals send by
 * themselves: focus and mouse reports, answers to queries (CSI … c, R, n, y, u
 * with ?, OSC, DCS). Pure; an incomplete sequence at the end counts as typing.
 */
unsigned typed_keys_find(const char *data, size_t len);

#endif
