/*
 * commit_index.c - makes the index of a commit: what is staged, and on top of
 * it the files as they are in the worktree, as `git add --all` does.
 */
#include "worktrees/merge/commit_index.h"

#include "worktrees/changes/changes.h"
#include "worktrees/changes/submodule.h"
#include "worktrees/changes/work.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/limits.h"

static int add_file(const struct repo_worktree *w, git_index *index,
		    const char *path, struct err *err)
{
	_free_ char *filter = work_filter(w->git, path);

	if (filter) {
		err_set(err, ERR_REFUSED,
			"%s has the filter %s, which afw does not run", path,
			filter);
		return err_hint(
		    err,
		    "`git -C %s add -A && git -C %s commit` commits "
		    "it, if you trust what is there",
		    w->path, w->path);
	}
	/* A sparse worktree may have left out files of a directory there. */
	return git_index_add_bypath(index, path) < 0 ||
		       git_index_remove_directory(index, path, 0) < 0
		   ? repo_err(err, ERR_FAILED, "add %s", path)
		   : 0;
}

/* Removes a deleted file from the index; not one that a sparse worktree leaves
 * out. Returns as work_is_file(). */
static int check_deleted(const struct repo_worktree *w, git_index *index,
			 const char *path, struct err *err)
{
	const git_index_entry *e = git_index_get_bypath(index, path, 0);
	int is = work_is_file(w, path, err);

	if (is == 0 && !(e && index_entry_skipped(e)))
		git_index_remove_bypath(index, path);
	return is;
}

/* A file that was staged as new, and deleted since, is not among the files. */
static int remove_deleted(const struct repo_worktree *w, git_index *index,
			  const git_oid *head, struct err *err)
{
	_git_diff_ git_diff *staged = changes_since(w, head, true, err);
	int is = staged ? 0 : -1;

	for (size_t i = 0; is >= 0 && i < git_diff_num_deltas(staged); i++) {
		const git_diff_delta *d = git_diff_get_delta(staged, i);

		if (d->status == GIT_DELTA_ADDED &&
		    d->new_file.mode != GIT_FILEMODE_COMMIT)
			is = check_deleted(w, index, d->new_file.path, err);
	}
	return is < 0 ? -1 : 0;
}

/* True for an ignored file that the index lacks: `git rm --cached` keeps it. */
static bool is_untracked(const struct repo_worktree *w, git_index *index,
			 const char *path)
{
	int ignored = 0;

	return git_index_find(NULL, index, path) < 0 &&
	       git_ignore_path_is_ignored(&ignored, w->git, path) == 0 &&
	       ignored;
}

/* The agent may have put a link to one of the user's files there meanwhile. */
static int add_files(const struct repo_worktree *w, git_index *index,
		     const struct strv *files, struct output *out,
		     struct err *err)
{
	int rc = 0, is;

	limits_no_links(w->path);
	for (size_t i = 0; rc == 0 && i < files->n; i++) {
		const char *path = files->v[i];

		if (submodule_add(w, index, path))
			continue;
		rc = output_check(out, err);
		is = rc == 0 ? check_deleted(w, index, path, err) : -1;
		if (is < 0)
			rc = -1;
		else if (is > 0 && !is_untracked(w, index, path))
			rc = add_file(w, index, path, err);
	}
	limits_no_links(NULL);
	return rc;
}

int commit_index_add(git_index *index, const struct repo_worktree *w,
		     const git_oid *head, const struct strv *files,
		     struct output *out, struct err *err)
{
	return remove_deleted(w, index, head, err) < 0
		   ? -1
		   : add_files(w, index, files, out, err);
}

int commit_index_write_tree(git_oid *out, git_index *index, git_repository *git)
{
	_git_index_ git_index *plain = NULL;
	int rc = git_index_new(&plain);

	for (size_t i = 0; rc == 0 && i < git_index_entrycount(index); i++) {
		const git_index_entry *e = git_index_get_byindex(index, i);

		if (!(e->flags_extended & GIT_INDEX_ENTRY_INTENT_TO_ADD))
			rc = git_index_add(plain, e);
	}
	return rc == 0 ? git_index_write_tree_to(out, plain, git) : rc;
}
