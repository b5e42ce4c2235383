/*
 * board.h - the sessions at a glance: a cache of what `afw ls` and the
 * dashboard show, so that listing 200 sessions is not reading 400 files.
 *
 * data/sessions.board has a slot of fixed size for each session, filled by
 * whoever writes its spec or state, right after the file. A reader believes a
 * slot only where the files are still the ones that it was filled from
 * (inode, size, time of change); else it reads the files. So the board may be
 * stale, torn, foreign or missing: nothing but speed depends on it, and no
 * failure of it is an error.
 *
 * A living supervisor holds a lock on its slot's byte; a reader can ask for
 * all of them through one descriptor. It is the only writer of the files then,
 * and a slot that it holds is believed without a look at them.
 */
#ifndef AFW_SESSION_BOARD_H
#define AFW_SESSION_BOARD_H

#include <stdbool.h>

#include "session/spec.h"
#include "session/state.h"

/* For writers, who hold the session's lock. */
void board_put_spec(const char *session_dir, const struct spec *s);
void board_put_state(const char *session_dir, const struct state *s);

/* For supervisors: says "alive" until the descriptor is closed or the
 * process ends. -1 where there is no board. */
int board_hold(const char *session_dir);

/* Whether a supervisor holds the session's slot. False says nothing where
 * there is no board. */
bool board_is_held(const char *session_dir);

struct board; /* as a reader sees it */

/* sessions_dir is the directory of the sessions. NULL: there is none. */
struct board *board_open(const char *sessions_dir);
void board_close(struct board *b); /* NULL does nothing */

/*
 * Fills spec and state (both empty) with what the board has of a session:
 * true; false where the files have to be asked. Of the spec only what is
 * shown in lists (session.h). *alive: a supervisor holds the slot.
 */
bool board_get(struct board *b, const char *id, struct spec *spec,
	       struct state *state, bool *alive);

#endif
