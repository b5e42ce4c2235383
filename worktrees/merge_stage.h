/*
 * merge_stage.h - files made beside a worktree and renamed into it, each in
 * one step: whoever looks, or is killed, never meets half a file.
 */
#ifndef AFW_WORKTREES_MERGE_STAGE_H
#define AFW_WORKTREES_MERGE_STAGE_H

#include <git2.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/mem.h"

/* A file of the worktree that is to be made, changed or deleted. */
struct staged {
	char *path;
	struct stat seen; /* of what is to be replaced; st_ino 0: nothing */
	bool deleted;
};

struct stage {
	int admin; /* git's directory for the worktree, or -1 */
	const char *worktree;
	struct staged *v;
	size_t n;
};

void stage_add(struct stage *s, const char *path, const struct stat *seen,
	       bool deleted);

/*
 * Makes the files, as tree has them, in git's directory for the worktree; what
 * a run that was killed left there is removed. Refuses where that lies on
 * another disk. stage_finish() in every case.
 */
int stage_make(struct stage *s, git_repository *git, git_tree *tree,
	       struct err *err);

/* Then: deletes and renames. -1 with err where one is another by now than was
 * seen, or the system refuses: those before it are in place. */
int stage_place(struct stage *s, struct err *err);
void stage_finish(struct stage *s);

#endif
