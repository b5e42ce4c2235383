/*
 * changes.h - reports changes in sessions' directories and on the board: a file
 * renamed into place, output in the transcript, the end of a supervisor.
 *
 * Uses inotify, whose instances and watches are few and shared with all
 * programs of the user: a directory that the kernel refuses to watch is checked
 * at intervals, and watched as soon as that is possible.
 */
#ifndef AFW_SESSION_LIVE_CHANGES_H
#define AFW_SESSION_LIVE_CHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/loop.h"

struct changes;

enum changes_what {
	CHANGES_SHOWN,	 /* what a list shows: state, lock, board and so on */
	CHANGES_WRITTEN, /* each file, and what is appended to it */
};

struct changes *changes_create(void);
void changes_destroy(struct changes *c); /* NULL does nothing */

/* Watches a session's directory. If it is missing, the next changes_wait()
 * returns at once. */
void changes_add(struct changes *c, const char *session_dir,
		 enum changes_what what);
/* Watches every session in data/sessions, which exists, now and later. */
void changes_add_all(struct changes *c, const char *sessions_dir,
		     enum changes_what what);

/*
 * Returns when something has changed since the last call, after timeout_ms
 * (-1: none), after a signal, and sometimes without a reason: the caller checks
 * again each time.
 */
void changes_wait(struct changes *c, int64_t timeout_ms);

/*
 * id: the session that appeared, changed or vanished (session_load() says
 * which); NULL: anything may have changed. file: the name of the changed file,
 * or NULL. With CHANGES_BOARD, and no id, the board has changed.
 */
#define CHANGES_BOARD "sessions.board"
typedef void (*changes_fn)(void *ctx, const char *id, const char *file);

/* Instead of changes_wait(): calls fn from the loop. */
void changes_listen(struct changes *c, struct loop *loop, changes_fn fn,
		    void *ctx);
/* Returns whether a directory is checked at intervals because it cannot be
 * watched.
 */
bool changes_is_blind(const struct changes *c);

#endif
