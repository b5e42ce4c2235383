/*
 * memory.h - how much memory each session takes: what `afw top` says, asked
 * for in the background while the list has that column, and not else.
 */
#ifndef AFW_TUI_CHILD_MEMORY_H
#define AFW_TUI_CHILD_MEMORY_H

#include "base/buf.h"
#include "session/session.h"

struct tui;
struct memory;

/* t->columns are known. */
struct memory *memory_create(struct tui *t);
void memory_destroy(struct memory *m); /* NULL does nothing */

/* Appends "123M"; nothing where it is not known, or nothing runs. */
void memory_print(const struct memory *m, const struct session *s,
		  struct buf *out);

#endif
