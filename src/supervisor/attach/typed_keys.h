/* typed_keys.h - whether a terminal's input is a person's typing. */
#ifndef AFW_SUPERVISOR_ATTACH_TYPED_KEYS_H
#define AFW_SUPERVISOR_ATTACH_TYPED_KEYS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * False where data holds nothing but what terminals send by themselves:
 * focus and mouse reports, answers to queries (CSI … c, R, n, y, u with ?,
 * OSC, DCS). Pure; a sequence cut at the end counts as typing.
 */
bool typed_keys_any(const char *data, size_t len);

/* True where data is Escape or Ctrl-C alone (once or several times), as plain
 * bytes or as the kitty protocol has them: what ends a turn in one harness or
 * another. Pure. */
bool typed_keys_interrupt(const char *data, size_t len);

/* Whether Enter is among them, or a pasted line end. */
bool typed_keys_enter(const char *data, size_t len);

/* True where Ctrl-Z is among them. */
bool typed_keys_suspend(const char *data, size_t len);

#endif
