/* key_list.h - keys by name, as bytes for the terminal. */
#ifndef AFW_ADAPTERS_SCREEN_KEY_LIST_H
#define AFW_ADAPTERS_SCREEN_KEY_LIST_H

#include "base/buf.h"
#include "base/err.h"

/*
 * Appends the bytes of keys, names separated by blanks: Escape, Enter, Tab,
 * Space, BSpace, Up, Down, Left, Right, C-a to C-z, C-\, or one printable
 * ASCII character. ERR_USAGE names what it does not know.
 */
int keys_parse(const char *names, struct buf *out, struct err *err);

#endif
