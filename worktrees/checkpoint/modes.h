/*
 * modes.h - permissions that git's trees do not have: a list of "0600 path" for
 * the files and directories ("a/") whose permissions are not the usual ones.
 */
#ifndef AFW_WORKTREES_CHECKPOINT_MODES_H
#define AFW_WORKTREES_CHECKPOINT_MODES_H

#include <sys/types.h>

#include "base/mem.h"

/* Adds the path, unless its permissions are usual with that umask. */
void modes_add(struct strv *modes, const char *path, mode_t mode, mode_t mask);

/* Returns the path of an entry, and sets its permissions. */
const char *modes_read(const char *entry, mode_t *mode);

/* Returns the permissions of the path; 0: the usual ones. */
mode_t modes_find(const struct strv *modes, const char *path);

struct modes {
	mode_t umask;
	int at; /* the directory above all paths */
	/* Whether that is to be changed; list: it is only listed. NULL: all. */
	bool (*has)(const void *ctx, const char *path, bool list);
	const void *ctx;
};

/* Gives what is there the permissions of the list want; those which only the
 * list had names get usual ones. Both are sorted. list: changes nothing, but
 * adds the paths that would be changed, or could not be. */
void modes_restore(const struct modes *m, const struct strv *had,
		   const struct strv *want, struct strv *list);

#endif
