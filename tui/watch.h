/*
 * watch.h - who tells the dashboard that a session's files have changed.
 *
 * inotify: one watch on data/sessions, one on each session's directory, one on
 * the board, on which the living say what describes the moment. What
 * the system refuses to watch (its limits are per user and shared with all
 * programs) is told once a second instead, until it can be watched.
 */
#ifndef AFW_TUI_WATCH_H
#define AFW_TUI_WATCH_H

#include <stdbool.h>

#include "base/loop.h"

struct watch;

/*
 * id: the session that appeared, changed or vanished (session_load() says
 * which); NULL: anything may have changed. file is the changed file's name,
 * or NULL. With WATCH_BOARD, and no id, the board has changed.
 */
#define WATCH_BOARD "sessions.board"
typedef void (*watch_fn)(void *ctx, const char *id, const char *file);

/* dir is data/sessions, which exists. Watches what is in it already. */
struct watch *watch_create(struct loop *loop, const char *dir, watch_fn fn,
			   void *ctx);
void watch_destroy(struct watch *w); /* NULL does nothing */

/* Something has to be looked at, for it cannot be watched. */
bool watch_is_blind(const struct watch *w);

#endif
