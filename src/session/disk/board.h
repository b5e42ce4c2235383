/*
 * board.h - the running sessions in one file, for lists: their state now, and
 * the part of their specification that lists show.
 *
 * data/sessions.board has one slot of fixed size per session. A supervisor
 * writes the values that change all the time (activity, last line, counts,
 * queue) only to its slot, with one pwrite(). state.json is written, and the
 * slot too, when something changes that must last.
 *
 * The supervisor holds a lock on its slot's byte; a reader can test all of
 * these locks through one descriptor. A locked slot with a good checksum is
 * used without reading the session's files. All other sessions are read from
 * their files; if a supervisor was killed, its slot is still used for the
 * values that are newer than its state.json. The board is only a cache: if it
 * is torn, foreign or missing, readers use the files and the supervisors write
 * it again.
 */
#ifndef AFW_SESSION_DISK_BOARD_H
#define AFW_SESSION_DISK_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "session/spec.h"
#include "session/state.h"

/* Return the path of the board of a directory of sessions, or of the directory
 * that has a session; to be freed. */
char *board_path(const char *sessions_dir);
char *board_path_of(const char *session_dir);

/* Writes s, which is in state.json now, to the slot that this process holds.
 * Sets s->slot; -1 if it holds no slot of this session. */
void board_write_state(const char *session_dir, struct state *s);

/*
 * Takes a slot for the supervisor's one session and locks it, until
 * board_release() or the end of the process.
 */
void board_claim(const char *session_dir, const struct spec *spec);
void board_release(void);
/* Writes the slot again, if the board was deleted or damaged. */
void board_rewrite(void);
/* Sets the specification that the next board_write_state() writes. */
void board_set_spec(const struct spec *spec);

/*
 * Writes s to the slot that is held and increments its rev, if another member
 * has changed. Returns false if s must be saved with state_save() instead.
 */
bool board_publish(struct state *s);

/* Updates s, read from its file, with newer values of its slot. Sets s->slot;
 * -1 if the board has none. */
void board_update(const char *session_dir, struct state *s);

/* Returns a number that changes with the slot's content; 0 if there is no slot.
 * *slot: where to look first (-1: unknown); set to the slot's place. */
uint64_t board_stamp(const char *session_dir, int *slot);

/* Returns whether a supervisor holds the session's slot; also false if there is
 * no board. */
bool board_is_held(const char *session_dir);

struct board; /* open for reading */

/* Opens the board of sessions_dir; NULL if there is none. */
struct board *board_open(const char *sessions_dir);
void board_close(struct board *b);	  /* NULL does nothing */
size_t board_size(const struct board *b); /* in sessions; 0 for NULL */

/*
 * Fills spec and state (both empty) from the slot of a running session. Returns
 * false if the session's files must be read instead. spec has only the members
 * that lists show (session.h).
 */
bool board_get(struct board *b, const char *id, struct spec *spec,
	       struct state *state);

/* As board_stamp(), when it was opened. */
uint64_t board_get_stamp(const struct board *b, const char *id, int *slot);

/* Updates the state of a running session; returns whether it has changed. */
bool board_renew(struct board *b, const char *id, struct state *state);

#endif
