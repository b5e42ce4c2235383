/* memory.h - how much memory each session uses, read from `afw top` in the
 * background while the list has that column. */
#ifndef AFW_TUI_CHILD_MEMORY_H
#define AFW_TUI_CHILD_MEMORY_H

#include "base/buf.h"
#include "session/session.h"

struct tui;
struct memory;

/* Call it when t->columns is set. */
struct memory *memory_create(struct tui *t);
void memory_destroy(struct memory *m); /* NULL does nothing */

/* Appends "123M"; nothing if it is unknown or the session is not running. */
void memory_print(const struct memory *m, const struct session *s,
		  struct buf *out);

#endif
