/* sha1.h - SHA-1, for the checksum at the end of git's index file only. */
#ifndef AFW_WORKTREES_SHA1_H
#define AFW_WORKTREES_SHA1_H

#include <stddef.h>

#define SHA1_SIZE 20

void sha1(const void *data, size_t len, unsigned char out[SHA1_SIZE]);

#endif
