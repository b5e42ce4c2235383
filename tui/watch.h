/*
 * watch.h - who tells the dashboard that a session's files have changed.
 *
 * inotify: one watch on data/sessions, one on each session's directory. A
 * watch that cannot be had is counted, and the others go on.
 */
#ifndef AFW_TUI_WATCH_H
#define AFW_TUI_WATCH_H

#include <stddef.h>

#include "base/err.h"
#include "base/loop.h"

struct watch;

/*
 * id: the session that appeared, changed or vanished (session_load() says
 * which); NULL: anything may have changed. file is the changed file's name,
 * or NULL.
 */
typedef void (*watch_fn)(void *ctx, const char *id, const char *file);

/* dir is data/sessions, which exists. Watches what is in it already. */
struct watch *watch_create(struct loop *loop, const char *dir, watch_fn fn,
			   void *ctx, struct err *err);
void watch_destroy(struct watch *w);

/* Sessions that are not watched because the system refused. */
size_t watch_missing(const struct watch *w);

#endif
