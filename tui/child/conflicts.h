/*
 * conflicts.h - which sessions change the same lines as others of their
 * repository: read from `afw conflicts` in the background, some seconds after
 * their changes have changed.
 */
#ifndef AFW_TUI_CHILD_CONFLICTS_H
#define AFW_TUI_CHILD_CONFLICTS_H

#include "session/session.h"

struct tui;
struct conflicts;

struct conflicts *conflicts_create(struct tui *t);
void conflicts_destroy(struct conflicts *c); /* NULL does nothing */

/* Call it when sessions have been read. Never blocks. */
void conflicts_update(struct conflicts *c);

/* Returns whether any conflicts are known. */
bool conflicts_any(const struct conflicts *c);
/* Returns the names of the sessions that conflict with s, as text; NULL: none
 * are known. Borrowed until the loop runs again. */
const char *conflicts_with(const struct conflicts *c, const struct session *s);

#endif
