/*
 * made_dir.h - a directory that afw made, and nothing that somebody has put
 * in its place.
 */
#ifndef AFW_BASE_MADE_DIR_H
#define AFW_BASE_MADE_DIR_H

#include <stdint.h>

#include "base/err.h"

/* The directory that path lies in, open; no symlink. -1 with errno, ENOENT
 * where it is not there. */
int made_dir_parent(const char *path, struct err *err);

/*
 * The last part of path below parent, as O_PATH: no symlink, nothing mounted
 * there, and the inode that was recorded; where ino is 0, nothing was: ours.
 * -1 with errno, ENOENT where nothing is there.
 */
int made_dir_open(int parent, const char *path, uint64_t ino, struct err *err);

/* Enters it; -1 with errno, ENOENT where it has been deleted meanwhile. */
int made_dir_enter(int fd);

#endif
