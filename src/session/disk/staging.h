/*
 * staging.h - sessions/.new-<staged>: a session's directory until its
 * specification is in it, by a name of its own. No reader looks there.
 */
#ifndef AFW_SESSION_DISK_STAGING_H
#define AFW_SESSION_DISK_STAGING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "session/spec.h"

/* Makes one, and takes its lock: the descriptor, or -1. Sweeps what others
 * have left. */
int staging_make(char staged[SPEC_ID_LEN + 1], struct err *err);

/* Its path; to be freed. */
char *staging_dir(const char *staged, struct err *err);

/* Renames it to sessions/<id>; the lock goes with it. */
int staging_publish(const char *staged, const char *id, struct err *err);

/* Deletes it; the caller holds its lock. */
void staging_drop(const char *staged);

/* How many there are that nobody holds; apply: deletes them. */
size_t staging_sweep(bool apply);

#endif
