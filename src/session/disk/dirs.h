/* dirs.h - where sessions live (DESIGN, "Files"). All results are freed. */
#ifndef AFW_SESSION_DISK_DIRS_H
#define AFW_SESSION_DISK_DIRS_H

#include "base/err.h"

/* $AF_DATA_DIR, else $XDG_DATA_HOME/afw, else ~/.local/share/afw. NULL with
 * err where there is no such place. The directory itself may not exist. */
char *dirs_data(struct err *err);

/* Makes the data, sessions and runtime directories, checks owner and mode. */
int dirs_prepare(struct err *err);

char *dirs_sessions(struct err *err);
char *dirs_trash(struct err *err);
char *dirs_session(const char *id, struct err *err);

/* $XDG_RUNTIME_DIR/afw, else data/run; falls back to data/run where
 * XDG_RUNTIME_DIR is not a directory of ours. */
char *dirs_runtime(struct err *err);

/*
 * Where a supervisor that starts now is to listen: <runtime>/<id>.sock;
 * refuses what is longer than a socket's address.
 */
char *dirs_new_socket(const char *id, struct err *err);

/* Returns -1 with err and a hint if that path is too long for a socket. */
int dirs_check_socket(struct err *err);

/*
 * Where the session's supervisor does listen, by its own word: what it wrote
 * to sessions/<id>/socket; where it has not, dirs_new_socket(). They differ
 * where XDG_RUNTIME_DIR is not what it was for who started the session (cron,
 * su), or has gone since.
 */
char *dirs_socket(const char *id, struct err *err);

/* Writes that down; the caller holds the session's lock. */
#define DIRS_SOCKET_FILE "socket"
int dirs_note_socket(const char *session_dir, const char *path,
		     struct err *err);

/* What a session may have there, behind its id: the control socket, tmux's,
 * and the one of tmux's pane. */
#define DIRS_SOCKETS                                                           \
	{                                                                      \
		".sock", ".tmux", ".pane"                                      \
	}

/* Removes all of them; the caller holds the session's lock, and nobody
 * listens any more. Its directory must still be where it was: it has the
 * word where they are. */
void dirs_remove_sockets(const char *id);

#endif
