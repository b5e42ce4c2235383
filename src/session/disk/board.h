/*
 * board.h - the living sessions at a glance: what describes the moment, and
 * what lists show of the rest.
 *
 * data/sessions.board has a slot of fixed size for each. A supervisor writes
 * what changes all the time (activity, last line, counts, queue) only there,
 * with one pwrite(); state.json is written when something changes that must
 * last, and fills the slot too.
 *
 * It holds a lock on its slot's byte; a reader can ask for all of them through
 * one descriptor. While it does it is the only writer of the files, and the
 * slot is believed without a look at them, if it is whole (a checksum). The
 * board may be torn, foreign or missing: then the files tell, and the living
 * make it anew, so no failure of it is an error. All others are read from their
 * files; one that was killed, with what its slot says of the moment behind that
 * very state.json.
 */
#ifndef AFW_SESSION_DISK_BOARD_H
#define AFW_SESSION_DISK_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "session/spec.h"
#include "session/state.h"

/* The board of a directory of sessions, and the one of a session; to be freed.
 */
char *board_path(const char *sessions_dir);
char *board_path_of(const char *session_dir);

/* For writers: s->slot is set, to -1 where this is not the session that is
 * held. */
void board_put_state(const char *session_dir, struct state *s);

/*
 * For supervisors, which have one session: says "alive", and takes
 * board_show(), until board_release() or the process's end.
 */
void board_hold(const char *session_dir, const struct spec *spec);
void board_release(void);
/* The same slot once more, where the board was deleted or damaged. */
void board_put_again(void);
/* The specification has changed: seen with the next board_put_state(). */
void board_put_spec(const struct spec *spec);

/*
 * Writes s to the slot that is held, and counts its rev up, where anything
 * else of it has changed. False: only state_save() can.
 */
bool board_show(struct state *s);

/* Brings s, read from its file, up to the moment, and sets s->slot: -1 where
 * the board has no slot that says so. */
void board_update(const char *session_dir, struct state *s);

/* Changes with what a slot says; 0: there is none. *slot is where it may be,
 * and then where it is; -1: not known. */
uint64_t board_stamp(const char *session_dir, int *slot);

/* Whether a supervisor holds the session's slot. False says nothing where
 * there is no board. */
bool board_is_held(const char *session_dir);

struct board; /* as a reader of all sees it */

/* sessions_dir is the directory of the sessions. NULL: there is none. */
struct board *board_open(const char *sessions_dir);
void board_close(struct board *b); /* NULL does nothing */

/*
 * Fills spec and state (both empty) with what the board has of a session that
 * lives: true; false where the files have to be asked. Of the spec only what is
 * shown in lists (session.h).
 */
bool board_get(struct board *b, const char *id, struct spec *spec,
	       struct state *state);

/* Brings the state of a living one up to the moment: true where it has
 * changed. */
bool board_renew(struct board *b, const char *id, struct state *state);

#endif
