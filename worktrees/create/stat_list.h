/*
 * stat_list.h - the stat data of all files and directories of a tree, to see
 * later whether anything has changed.
 *
 * Whatever changes a file, or the names in a directory, sets its ctime, which
 * no program can set to an older time.
 */
#ifndef AFW_WORKTREES_CREATE_STAT_LIST_H
#define AFW_WORKTREES_CREATE_STAT_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

#define STAT_LIST_ROOTS 3

/* Begins zeroed, and is written to a file as it is. buf_finish() releases it.
 */
struct stat_list {
	struct buf rows;
	int64_t newest; /* the newest ctime, in ns since 1970 */
};

/* Returns the time, in ns since 1970, and waits until whatever is changed then
 * gets a newer ctime. */
int64_t stat_list_tick(void);

/* Adds name, below dir, and what is below it; path is its path below the root
 * with that number. */
int stat_list_add(struct stat_list *l, int root, int dir, const char *name,
		  const char *path, struct err *err);

/*
 * True if all rows are as they were, below these open directories (-1: its rows
 * are not compared); in several threads. Else *why, to be freed, is the path of
 * one that differs; NULL if rows is damaged.
 */
bool stat_list_same(const struct buf *rows, const int roots[STAT_LIST_ROOTS],
		    char **why);

#endif
