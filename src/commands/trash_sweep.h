/* trash_sweep.h - deletes what is in the trash and need not be. */
#ifndef AFW_COMMANDS_TRASH_SWEEP_H
#define AFW_COMMANDS_TRASH_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "session/disk/store.h"

/* Deletes one for good, with its worktree and git's entry for it, if its
 * repository is there. */
int trash_sweep_purge(const struct trashed *t, struct err *err);

/* Whether the repository is there, and not another one that lies around it. */
bool trash_sweep_has_repository(const struct trashed *t);

/*
 * In a process of its own, which is not waited for: of the sessions with
 * these ids, those that have nothing that is nowhere else; and all that have
 * been in the trash for keep_ms (0: none of those).
 */
void trash_sweep(const struct strv *ids, bool delete_ignored, int64_t keep_ms);

/*
 * Sets *why, which the caller frees, to the first thing there that no branch
 * has; NULL: nothing. Ignored files do not count with delete_ignored. Walks
 * all of the worktree. Returns -1 with err if it cannot be read.
 */
int trash_sweep_look(const struct trashed *t, bool delete_ignored, char **why,
		     struct err *err);

#endif
