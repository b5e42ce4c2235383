/*
 * follow.h - reads a file line by line, on and on, while it is written and
 * renamed to NAME.1 when it is full (tail -F).
 *
 * Reads and never blocks.
 */
#ifndef AFW_SESSION_DISK_FOLLOW_H
#define AFW_SESSION_DISK_FOLLOW_H

#include <stdbool.h>

#include "base/buf.h"

struct follow {
	char *path, *old_path;
	int fd;	       /* what is read now; -1: nothing yet */
	struct buf in; /* a line that is not whole yet */
	bool skipping; /* until the end of a line that is too long */
	int failed;    /* the errno of a read that failed; 0: none has */
};

/* From the oldest line on. That there is no file yet is no failure. */
void follow_open(struct follow *f, const char *dir, const char *name);
void follow_close(struct follow *f);

/* A line, without its end. Not 0: no more of them now. */
typedef int (*follow_fn)(void *ctx, const char *line, size_t len);

/* Calls fn for each whole line that was not told yet, 1 MiB at most. Returns
 * what fn did where that ended it, else 0. */
int follow_next(struct follow *f, follow_fn fn, void *ctx);

#endif
