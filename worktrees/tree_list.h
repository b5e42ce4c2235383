/* tree_list.h - all files of a git tree in the order of git's index. */
#ifndef AFW_WORKTREES_TREE_LIST_H
#define AFW_WORKTREES_TREE_LIST_H

#include <git2.h>

#include "worktrees/index_file.h"

struct tree_list {
	struct index_entry *entries; /* mode, oid and path; no stat data */
	size_t n;
	struct buf ext;	  /* the index's tree extension for them */
	struct buf paths; /* where the paths lie */
};

/*
 * Reads the tree; where known (may be NULL) is the index of a worktree that
 * says it holds exactly this tree, from there, without reading any object.
 * Refuses paths that must not be made: "..", ".git" and its disguises.
 * tree_list_finish() in every case.
 */
int tree_list_read(struct tree_list *list, git_repository *git,
		   const git_oid *tree, const struct index_file *known,
		   struct err *err);
void tree_list_finish(struct tree_list *list);

/* Whether a path of a tree may be made in a worktree. */
bool tree_list_path_ok(const char *path);

#endif
