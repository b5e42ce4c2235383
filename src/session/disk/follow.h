/*
 * follow.h - reads a file line by line while it is written, and continues with
 * the next one when it is full and renamed to NAME.1 (as tail -F).
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

/* Begins with the oldest line. The file may be created later. */
void follow_open(struct follow *f, const char *dir, const char *name);
void follow_close(struct follow *f);

/* Gets a line without its newline. Returns a value other than 0 to stop. */
typedef int (*follow_fn)(void *ctx, const char *line, size_t len);

/* Calls fn for each new complete line, 1 MiB at most. Returns the value with
 * which fn stopped it, else 0. */
int follow_next(struct follow *f, follow_fn fn, void *ctx);

#endif
