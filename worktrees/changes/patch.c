/* patch.c - what has changed in a file, line by line: libgit2's, but for two
 * cases that it does not master. */
#include "worktrees/changes/patch.h"

#include "worktrees/git/cleanup.h"

/* True for an empty file of the worktree; in a tree no size is known. */
static bool is_empty_file(const git_diff_file *f)
{
	static const char empty[] = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

	return f->size == 0 && (f->mode & 0170000) == 0100000 &&
	       (!(f->flags & GIT_DIFF_FLAG_VALID_ID) ||
		git_oid_streq(&f->id, empty) == 0);
}

/* libgit2 would enter the submodule, to see whether it is clean. */
static int submodule_patch(git_patch **out, git_repository *git,
			   const git_diff_delta *d)
{
	const git_diff_file *files[] = {&d->old_file, &d->new_file};
	_git_index_ git_index *old = NULL, *new = NULL;
	_git_diff_ git_diff *diff = NULL;
	int rc = git_index_new(&old) < 0 ? -1 : git_index_new(&new);

	for (int i = 0; rc == 0 && i < 2; i++) {
		const git_index_entry e = {.path = files[i]->path,
					   .mode = files[i]->mode,
					   .id = files[i]->id};

		if (files[i]->mode)
			rc = git_index_add(i ? new : old, &e);
	}
	if (rc == 0)
		rc = git_diff_index_to_index(&diff, git, old, new, NULL);
	return rc < 0 ? rc : git_patch_from_diff(out, diff, 0);
}

git_patch *patch_make(git_repository *git, git_diff *diff, size_t i)
{
	const git_diff_delta *d = git_diff_get_delta(diff, i);
	_git_blob_ git_blob *old = NULL;
	git_patch *patch = NULL;
	int rc;

	/* libgit2 1.5 frees what it has not allocated, if it has to convert the
	 * line ends of an empty file. */
	if (d->new_file.mode == GIT_FILEMODE_COMMIT &&
	    !git_oid_is_zero(&d->new_file.id)) {
		rc = submodule_patch(&patch, git, d);
	} else if (is_empty_file(&d->new_file)) {
		if (git_blob_lookup(&old, git, &d->old_file.id) < 0)
			old = NULL;
		rc = git_patch_from_blob_and_buffer(&patch, old,
						    d->old_file.path, "", 0,
						    d->new_file.path, NULL);
	} else {
		rc = git_patch_from_diff(&patch, diff, i);
	}
	return rc < 0 ? NULL : patch;
}
