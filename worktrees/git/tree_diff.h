/* tree_diff.h - compares two trees of git, and finds a path in one. */
#ifndef AFW_WORKTREES_GIT_TREE_DIFF_H
#define AFW_WORKTREES_GIT_TREE_DIFF_H

#include <git2.h>

/* A file before and after. */
struct tree_change {
	char *path;
	unsigned old_mode, new_mode; /* 0: there is none */
	git_oid old_id, new_id;
};

/* In the order of their paths, by strcmp(). */
struct tree_changes {
	struct tree_change *v;
	size_t n;
};

/* Lists the files that differ. Directories that are equal are not read. -1 with
 * libgit2's error. tree_changes_finish() in every case. */
int tree_diff(struct tree_changes *out, git_repository *git,
	      const git_tree *old, const git_tree *new);
void tree_changes_finish(struct tree_changes *c);
#define _tree_changes_ CLEANUP(tree_changes_finish)

/* As git_diff_tree_to_tree(), with GIT_DIFF_INCLUDE_TYPECHANGE, but reads only
 * what tree_diff() reads. max_bytes: of files whose lines are compared; 0:
 * libgit2's limit. */
int tree_diff_git(git_diff **out, git_repository *git, git_tree *old,
		  git_tree *new, int64_t max_bytes);

/* Returns the mode of the file or directory, and its id (may be NULL); 0: there
 * is none. With a '/' at the end of path, only of a directory. */
unsigned tree_find(const git_tree *tree, const char *path, git_oid *id);

#endif
