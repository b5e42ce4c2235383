/*
 * clash.h - which sessions change the same lines as others of their
 * repository: what `afw conflicts` says, asked for in the background some
 * seconds after their changes have changed, and not while they do not.
 */
#ifndef AFW_TUI_MODEL_CLASH_H
#define AFW_TUI_MODEL_CLASH_H

#include "session/session.h"

struct tui;
struct clash;

struct clash *clash_create(struct tui *t);
void clash_destroy(struct clash *c); /* NULL does nothing */

/* To be called when sessions have been read. Never blocks. */
void clash_update(struct clash *c);

/* Whether some do. */
bool clash_any(const struct clash *c);
/* The names of those that it clashes with, as text; NULL: with none that is
 * known of. Borrowed until the loop runs again. */
const char *clash_with(const struct clash *c, const struct session *s);

#endif
