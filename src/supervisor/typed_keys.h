/* typed_keys.h - whether a terminal's input is a person's typing. */
#ifndef AFW_SUPERVISOR_TYPED_KEYS_H
#define AFW_SUPERVISOR_TYPED_KEYS_H

#include <stddef.h>

enum {
	TYPED_KEY = 1, /* any at all */
	/* Escape or Ctrl-C alone (once or several times), as plain bytes or as
	 * the kitty protocol has them: what ends a turn in one harness or
	 * another. */
	TYPED_INTERRUPT = 2,
	TYPED_ENTER = 4,  /* among them, or a pasted line end */
	TYPED_CTRL_Z = 8, /* among them */
};

/*
 * Returns which of those are in data; 0 if it holds nothing but what terminals
 * send by themselves: focus and mouse reports, answers to queries (CSI … c, R,
 * n, y, u with ?, OSC, DCS). Pure; a sequence cut at the end counts as typing.
 */
unsigned typed_keys_find(const char *data, size_t len);

#endif
