/* sparse.h - the files that a sparse worktree has: info/sparse-checkout. */
#ifndef AFW_WORKTREES_GIT_SPARSE_H
#define AFW_WORKTREES_GIT_SPARSE_H

#include <git2.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

struct sparse {
	bool on; /* core.sparseCheckout; else the worktree has all files */
	struct sparse_rule *rules;
	size_t n;
	size_t skipped; /* entries that sparse_mark() has marked */
	size_t modules; /* submodules that it has left */
	struct buf dir; /* the last directory that was looked up */
	bool has_dir;
};

/* Reads the patterns of git's worktree. sparse_finish() in every case. */
int sparse_load(struct sparse *s, git_repository *git, struct err *err);
void sparse_finish(struct sparse *s);
#define _sparse_ CLEANUP(sparse_finish)

/* True if the worktree has e's path, as `git worktree add` would decide. */
bool sparse_has(struct sparse *s, const git_index_entry *e);

/* Sets or clears the skip-worktree bit of each entry. */
void sparse_mark(struct sparse *s, git_index *index);

/* Clears it of the files that the worktree has though its patterns leave them
 * out, as git does. */
void sparse_unmark_present(const char *worktree, git_index *index);

#endif
