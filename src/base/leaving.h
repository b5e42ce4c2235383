/*
 * leaving.h - a directory under the name that it has when it is to be
 * deleted: .removed-<hex>.
 *
 * Who renames one looks at it once more, and may put it back. So it holds
 * the directory with flock(2) from before the rename until it has decided;
 * who clears up what runs that were killed have left, deletes only what
 * nobody holds.
 */
#ifndef AFW_BASE_LEAVING_H
#define AFW_BASE_LEAVING_H

#include <stdbool.h>

#include "base/err.h"

#define LEAVING_HEX  16
#define LEAVING_SIZE (sizeof ".removed-" + LEAVING_HEX)

/* A new name. */
void leaving_name(char out[LEAVING_SIZE]);

bool leaving_is(const char *name);

/*
 * Opens and holds the directory, until the descriptor is closed; -1 where it
 * cannot be opened. One that somebody else holds with flock(2) is held well
 * enough.
 */
int leaving_hold(int dirfd, const char *name);

/* Whether somebody holds it. */
bool leaving_is_held(int dirfd, const char *name);

/* Deletes it with all in it, unless somebody holds it: then 1. */
int leaving_delete(int dirfd, const char *name, struct err *err);

#endif
