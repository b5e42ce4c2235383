/*
 * unborn.h - sessions/.new-<id>: a session's directory until its
 * specification is in it. No reader looks there.
 */
#ifndef AFW_SESSION_UNBORN_H
#define AFW_SESSION_UNBORN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "session/spec.h"

/* A session's directory that is being deleted is called this and its id. */
#define UNBORN_SWEPT ".old-"

/* Makes one, with a new id, and takes its lock: the descriptor, or -1.
 * Sweeps what others have left. */
int unborn_make(char id[SPEC_ID_LEN + 1], struct err *err);

/* Its path; to be freed. */
char *unborn_dir(const char *id, struct err *err);

/* Renames it to sessions/<id>; the lock goes with it. */
int unborn_show(const char *id, struct err *err);

/* Deletes it; the caller holds its lock. */
void unborn_drop(const char *id);

/* How many there are that nobody holds; apply: deletes them. */
size_t unborn_sweep(bool apply);

#endif
