/* trash_sweep.h - deletes entries of the trash that need not be kept. */
#ifndef AFW_COMMANDS_TRASH_SWEEP_H
#define AFW_COMMANDS_TRASH_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "session/disk/store.h"

/* Deletes one entry permanently, with its worktree and git's record of it, if
 * its repository exists. */
int trash_sweep_purge(const struct trashed *t, struct err *err);

/* Returns whether the repository exists, and is not another one in a parent
 * directory. */
bool trash_sweep_has_repository(const struct trashed *t);

/* Returns when it is deleted, wall ms; 0: not automatically. */
int64_t trash_sweep_due(const struct trashed *t, int64_t keep_ms);

/*
 * Starts a process of its own and does not wait for it. It deletes those of the
 * sessions with these ids that have no unsaved work, and all sessions that have
 * been in the trash for keep_ms (0: none of those).
 */
void trash_sweep(const struct strv *ids, bool delete_ignored, int64_t keep_ms);

/*
 * Sets *why, which the caller frees, to the first work there that is on no
 * branch; NULL: nothing. delete_ignored: ignored files are not work. Reads the
 * whole worktree. Returns -1 with err if it cannot be read.
 */
int trash_sweep_check(const struct trashed *t, bool delete_ignored, char **why,
		      struct err *err);

#endif
