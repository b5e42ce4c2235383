/*
 * touched.h - collects the paths that were touched in the worktree, so that
 * afw-worktree(8) needs to look at these alone.
 *
 * inotify watches the worktree's directories (not .git, not what is usually
 * generated unless git tracks it, at most 1024). Each reader has its own set of
 * paths: what was touched since that reader last took it. A set that grows too
 * large becomes "everything". counting.c owns the collector; others take
 * through counting.h.
 *
 * inotify does not report a file that is written and still open, a file that is
 * changed through a mapping or from another machine, or through a hard link
 * elsewhere. A caller that must not miss a change reads all files.
 */
#ifndef AFW_SUPERVISOR_CHORES_TOUCHED_H
#define AFW_SUPERVISOR_CHORES_TOUCHED_H

#include <stdbool.h>

#include "base/mem.h"
#include "supervisor/supervisor.h"

struct touched;

enum touched_reader {
	/* Also everything if the index or HEAD was changed. Nothing of the
	 * directories that are not watched. */
	TOUCHED_COUNT,
	/* Also the directories that are not watched, each as one path;
	 * everything if there are too many. */
	TOUCHED_CHECKPOINT,
	TOUCHED_READERS
};

/* Watches sv's worktree from the first touched_take() on, and git's directory
 * at once; calls changed() when something that may change the counts was
 * touched. Returns NULL with errno if inotify is refused; the functions below
 * take NULL. */
struct touched *touched_create(struct supervisor *sv, void (*changed)(void *),
			       void *ctx);
void touched_destroy(struct touched *t);

/* Returns whether some directories are not watched because there are too
 * many, or none is. */
bool touched_is_partial(const struct touched *t);

/* Returns whether touched_take() would know the paths, as far as is read. */
bool touched_is_known(const struct touched *t, enum touched_reader who);

/* Reads what the kernel has reported until now. */
void touched_read(struct touched *t);

/* Returns when something was last reported, monotonic ms; 0: never. */
int64_t touched_at(const struct touched *t);

/*
 * Appends to out what was touched until now, and empties the reader's set:
 * paths relative to the worktree, of files and of directories, which stand for
 * everything below them; some may not exist, or be ignored by git. Changes
 * after the call are in the next set. Returns false for "everything", as at the
 * first call; then out is unchanged.
 */
bool touched_take(struct touched *t, enum touched_reader who, struct strv *out);

/* The reader could not use what it took last: its next set is everything. */
void touched_forget(struct touched *t, enum touched_reader who);

#endif
