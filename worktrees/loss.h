/* loss.h - what would be lost with a worktree. */
#ifndef AFW_WORKTREES_LOSS_H
#define AFW_WORKTREES_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include "worktrees/changes.h"

enum loss_depth {
	LOSS_SHOWN,  /* what `git status` shows, and HEAD's commits */
	LOSS_HIDDEN, /* what it does not, but for what is ignored */
	LOSS_ALL,
};

struct loss {
	int64_t uncommitted, untracked; /* files */
	const char *in_progress;	/* "merge", ... or NULL; static */
	bool head;	/* HEAD is on a commit that no branch has */
	git_oid commit; /* that one */
	/* Only with more than LOSS_SHOWN: */
	bool ignored;	/* only with LOSS_ALL; hidden.h */
	bool nested;	/* hidden.h */
	bool submodule; /* one is checked out: its own git lies in the entry */
	bool marked;	/* a file that git was told not to look at */
};

/*
 * Reads what is in the worktree and nowhere else. tip is the commit of its
 * branch, which stays (NULL: none). Blocks; ends early on a signal.
 */
int loss_read(struct loss *l, const struct repo_worktree *w,
	      const git_oid *base, const git_oid *tip, enum loss_depth depth,
	      struct output *out, struct err *err);

/*
 * The same in a process of its own, for ms at most: a harness can have put a
 * FIFO where libgit2 opens a file (.gitignore), or patterns there that take
 * it for ever. 1 where the time was over, or the look crashed: nothing is
 * known then.
 */
int loss_read_within(struct loss *l, const struct repo_worktree *w,
		     const git_oid *base, const git_oid *tip,
		     enum loss_depth depth, int64_t ms, struct output *out,
		     struct err *err);

bool loss_any(const struct loss *l);

/* "2 files changed, 1 untracked, ignored ones"; to be freed. */
char *loss_words(const struct loss *l);

#endif
