/*
 * made_dir.h - opens a directory that afw made, and refuses anything else in
 * its place.
 */
#ifndef AFW_BASE_MADE_DIR_H
#define AFW_BASE_MADE_DIR_H

#include <stdint.h>

#include "base/err.h"

/* Opens the parent directory of path, which must not be a symlink. -1 with
 * errno, ENOENT if it does not exist. */
int made_dir_parent(const char *path, struct err *err);

/*
 * Opens the last part of path below parent, as O_PATH: not a symlink, nothing
 * mounted there, and the recorded inode; if ino is 0, none was recorded, and it
 * must be ours. parent -1: path as a whole, which afw did not make; it may be a
 * mount point. -1 with errno, ENOENT if it does not exist.
 */
int made_dir_open(int parent, const char *path, uint64_t ino, struct err *err);

/* Changes the working directory to it; -1 with errno, ENOENT if it was
 * deleted. */
int made_dir_enter(int fd);

#endif
