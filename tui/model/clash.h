/*
 * clash.h - which sessions change the same lines as others of their repository:
 * read from `afw conflicts` in the background, some seconds after their changes
 * have changed.
 */
#ifndef AFW_TUI_MODEL_CLASH_H
#define AFW_TUI_MODEL_CLASH_H

#include "session/session.h"

struct tui;
struct clash;

struct clash *clash_create(struct tui *t);
void clash_destroy(struct clash *c); /* NULL does nothing */

/* Call it when sessions have been read. Never blocks. */
void clash_update(struct clash *c);

/* Returns whether any conflicts are known. */
bool clash_any(const struct clash *c);
/* Returns the names of the sessions that conflict with s, as text; NULL: none
 * are known. Borrowed until the loop runs again. */
const char *clash_with(const struct clash *c, const struct session *s);

#endif
