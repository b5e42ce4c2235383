/* copy_bytes.h - copies the bytes of one file into another. */
#ifndef AFW_WORKTREES_GIT_COPY_BYTES_H
#define AFW_WORKTREES_GIT_COPY_BYTES_H

#include <stdbool.h>
#include <stddef.h>

#define COPY_BYTES_ROOM ((size_t)256 * 1024)

/*
 * Copies all of in to out; in_kernel pays for big files. room has
 * COPY_BYTES_ROOM bytes. -1 with errno if writing failed, 1 if reading failed,
 * or if no_cr is set and there is a CR.
 */
int copy_bytes(int in, int out, char *room, bool in_kernel, bool no_cr);

#endif
