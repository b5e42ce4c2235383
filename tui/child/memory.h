/*
 * memory.h - how much memory each session takes: what `afw top` says, asked
 * for in the background while the list has that column, and not else.
 */
#ifndef AFW_TUI_CHILD_MEMORY_H
#define AFW_TUI_CHILD_MEMORY_H

#include <stddef.h>

#include "session/session.h"

struct tui;
struct memory;

/* t->columns are known. */
struct memory *memory_create(struct tui *t);
void memory_destroy(struct memory *m); /* NULL does nothing */

/* "123M"; "" where it is not known, or nothing runs. */
void memory_text(const struct memory *m, const struct session *s, char *out,
		 size_t size);

#endif
