/* dirs.h - where sessions live (DESIGN, "Files"). All results are freed. */
#ifndef AFW_SESSION_DIRS_H
#define AFW_SESSION_DIRS_H

#include "base/err.h"

/* $AF_DATA_DIR, else $XDG_DATA_HOME/afw, else ~/.local/share/afw. NULL with
 * err where there is no such place. The directory itself may not exist. */
char *dirs_data(struct err *err);

/* Makes the data, sessions and runtime directories, checks owner and mode. */
int dirs_prepare(struct err *err);

char *dirs_sessions(struct err *err);
char *dirs_session(const char *id, struct err *err);

/* $XDG_RUNTIME_DIR/afw, else data/run; falls back to data/run where
 * XDG_RUNTIME_DIR is not a directory of ours. */
char *dirs_runtime(struct err *err);

/* <runtime>/<id>.sock; refuses what is longer than a socket's address. */
char *dirs_socket(const char *id, struct err *err);

#endif
