/*
 * modes.h - permissions that git's trees do not have: a list of "0600 path" for
 * the files and directories ("a/") whose permissions are not the usual ones.
 */
#ifndef AFW_WORKTREES_CHECKPOINT_MODES_H
#define AFW_WORKTREES_CHECKPOINT_MODES_H

#include <sys/types.h>

#include "base/mem.h"

/* Adds the path, unless its permissions are usual. */
void modes_add(struct strv *modes, const char *path, mode_t mode);

/* Returns the path of an entry, and sets its permissions. */
const char *modes_read(const char *entry, mode_t *mode);

/* Returns the permissions of the path; 0: the usual ones. */
mode_t modes_find(const struct strv *modes, const char *path);

/* Restores those of the directories in the list that are there, below the
 * directory at, if has(ctx, path) is true (NULL: all). */
void modes_set_dirs(const struct strv *modes, int at,
		    bool (*has)(const void *ctx, const char *path),
		    const void *ctx);

#endif
