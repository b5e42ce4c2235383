/* dirs.h - the directories and sockets of sessions. The caller frees the paths
 * that are returned. */
#ifndef AFW_SESSION_DISK_DIRS_H
#define AFW_SESSION_DISK_DIRS_H

#include "base/err.h"

/* $AF_DATA_DIR, else $XDG_DATA_HOME/afw, else ~/.local/share/afw. NULL with
 * err if there is no such place. The directory itself may not exist. */
char *dirs_data(struct err *err);

/* Creates the data, sessions and runtime directories; checks owner and mode. */
int dirs_prepare(struct err *err);

char *dirs_sessions(struct err *err);
char *dirs_trash(struct err *err);
char *dirs_session(const char *id, struct err *err);

/* $XDG_RUNTIME_DIR/afw, else data/run; also data/run if
 * XDG_RUNTIME_DIR is not a directory of the user. */
char *dirs_runtime(struct err *err);

/* The session's control socket: sessions/<id>/control. */
char *dirs_socket(const char *id, struct err *err);

/* Returns a socket that listens there, in the session's directory, whose lock
 * the caller holds; -1 with err and a hint if its file system has none. */
int dirs_listen(const char *session_dir, struct err *err);

/* <runtime>/<id>; with .tmux and .pane appended, the sockets of the session's
 * tmux server and of its pane. */
char *dirs_runtime_of(const char *id, struct err *err);

/* Removes these sockets; the caller holds the session's lock, and no process
 * listens on them. */
void dirs_remove_sockets(const char *id);

#endif
