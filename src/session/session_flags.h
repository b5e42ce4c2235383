/*
 * session_flags.h - what the user has noted about a session, for lists: pinned,
 * archived, snoozed, and a line of text. The agent is not affected.
 *
 * The flags are part of the spec: afw writes them as it writes the name
 * (live/respec.h), and the board has them, so that a list opens no file for
 * them.
 */
#ifndef AFW_SESSION_SESSION_FLAGS_H
#define AFW_SESSION_SESSION_FLAGS_H

#include "session/session.h"

#define SESSION_NOTE_MAX 160 /* bytes */

/* Archive it, or snooze it until a time (wall ms; 0: until it needs the user),
 * or show it again. state: its state now. */
void session_flags_archive(struct spec *spec, const struct state *state);
void session_flags_snooze(struct spec *spec, const struct state *state,
			  int64_t until);
void session_flags_show(struct spec *spec);

/* Sets the note, "": none. ERR_USAGE if it is too long, or is not one line of
 * printable text. */
int session_flags_set_note(struct spec *spec, const char *note,
			   struct err *err);

/* Gives to the flags of from, and from those of to. */
void session_flags_swap(struct spec *to, struct spec *from);

/* Returns whether lists hide it now: it is archived or snoozed. */
bool session_flags_hide(const struct session *s);

/* Returns whether it is snoozed: its time has not come, and since then it has
 * not needed the user. */
bool session_flags_snoozed(const struct session *s);

/* Returns whether it is hidden and needs the user all the same: it asks
 * something, or has failed since it was archived. */
bool session_flags_missed(const struct session *s);

/* Appends "pinned", "archived", "snoozed until 14:30"; or nothing. */
void session_flags_print(const struct session *s, struct buf *out);

/* Appends what lists show before session_summary(): "[pinned] [ask Bob] ". */
void session_flags_lead(const struct session *s, struct buf *out);

#endif
