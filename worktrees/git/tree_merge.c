/* tree_merge.c - merges two trees of git whose changes do not meet. */
#include "worktrees/git/tree_merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/tree_diff.h"

static int compare(const void *path, const void *change)
{
	return strcmp(path, ((const struct tree_change *)change)->path);
}

/* True if a path of b, or a directory above it, is in a. */
static bool meets(const struct tree_changes *a, const struct tree_changes *b)
{
	bool found = false;

	for (size_t i = 0; a->n && !found && i < b->n; i++) {
		_free_ char *path = mem_strdup(b->v[i].path);
		char *end = path + strlen(path);

		do {
			*end = '\0';
			found =
			    bsearch(path, a->v, a->n, sizeof *a->v, compare);
		} while (!found && (end = strrchr(path, '/')));
	}
	return found;
}

bool tree_merge(git_oid *out, git_repository *git, const git_tree *base,
		git_tree *ours, const git_tree *theirs)
{
	_tree_changes_ struct tree_changes here = {0}, there = {0};
	_free_ git_tree_update *updates = NULL;

	if (tree_diff(&here, git, base, ours) < 0 ||
	    tree_diff(&there, git, base, theirs) < 0 || meets(&here, &there) ||
	    meets(&there, &here))
		return false;
	updates = mem_alloc((there.n + 1) * sizeof *updates);
	for (size_t i = 0; i < there.n; i++)
		updates[i] = (git_tree_update){
		    .action = there.v[i].new_mode ? GIT_TREE_UPDATE_UPSERT
						  : GIT_TREE_UPDATE_REMOVE,
		    .id = there.v[i].new_id,
		    .filemode = there.v[i].new_mode,
		    .path = there.v[i].path};
	return git_tree_create_updated(out, git, ours, there.n, updates) == 0;
}
