/*
 * snapshot.h - a directory's files as a git tree: all of them, tracked or
 * not, ignored or not, byte for byte (no filter is applied).
 */
#ifndef AFW_WORKTREES_SNAPSHOT_H
#define AFW_WORKTREES_SNAPSHOT_H

#include <git2.h>

#include "base/mem.h"
#include "worktrees/output.h"

struct snapshot {
	git_oid tree;
	int64_t files, bytes;
	/* What is not in it, relative to dir: directories named .git (but
	 * dir's own), names that git does not allow, files over 512 MiB,
	 * directories 200 deep. */
	struct strv missing;
};

/*
 * Writes the objects into git. dir is open and stays; nothing is followed.
 * Directories without a file, sockets, FIFOs and devices are left out.
 * snapshot_finish() in every case.
 */
int snapshot_write(struct snapshot *s, git_repository *git, int dir,
		   struct output *out, struct err *err);

/*
 * Reads every object from the disk again and compares it with its file;
 * fails where they differ, or where there is a file that tree and missing do
 * not have. git must be another handle than the one that has written, so
 * that nothing comes from its cache.
 */
int snapshot_verify(const struct snapshot *s, git_repository *git, int dir,
		    struct output *out, struct err *err);

void snapshot_finish(struct snapshot *s);

#endif
