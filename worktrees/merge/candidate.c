/*
 * candidate.c - checks a commit out in the worktree where the check of a
 * candidate runs.
 *
 * The check before may have left anything there: each file that git would
 * report is made what the commit has, or deleted. What is ignored stays, such
 * as the products of the build, which the next check uses again.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "worktrees/changes/work.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/operations.h"

/* Refuses what the check would not see as git would have it. */
static int check_delta(const struct repo_worktree *w, const git_diff_delta *d,
		       struct err *err)
{
	const char *path = d->new_file.path;
	_free_ char *filter = NULL;

	if (d->new_file.mode == GIT_FILEMODE_COMMIT ||
	    d->old_file.mode == GIT_FILEMODE_COMMIT) {
		err_set(err, ERR_REFUSED,
			"%s is a submodule that it changes, "
			"which no check can be run on",
			path);
		return err_hint(err, "without --check it can be merged");
	}
	if (d->status != GIT_DELTA_DELETED)
		filter = work_filter(w->git, path);
	return filter ? err_set(err, ERR_REFUSED,
				"%s has the filter %s, which afw does not run",
				path, filter)
		      : 0;
}

static int check_changes(const struct repo_worktree *w, const git_oid *from,
			 const git_oid *to, struct err *err)
{
	_git_tree_ git_tree *old = repo_tree(w->git, from, err),
			    *new = old ? repo_tree(w->git, to, err) : NULL;
	_git_diff_ git_diff *diff = NULL;

	if (!new)
		return -1;
	if (git_diff_tree_to_tree(&diff, w->git, old, new, NULL) < 0)
		return repo_err(err, ERR_FAILED, "compare with HEAD of %s",
				w->path);
	for (size_t i = 0; i < git_diff_num_deltas(diff); i++)
		if (check_delta(w, git_diff_get_delta(diff, i), err) < 0)
			return -1;
	return 0;
}

/* Lists the tracked files that were changed, and deletes the others. */
static int clean(const struct repo_worktree *w, cJSON *answer, struct err *err)
{
	_strv_ struct strv files = {0}, changed = {0};
	_git_index_ git_index *index = NULL;
	_close_ int top = open(w->path, FILE_DIR_FLAGS);

	if (top < 0 || git_repository_index(&index, w->git) < 0)
		return repo_err(err, ERR_FAILED, "open %s", w->path);
	if (work_uncommitted(w, &files, err) < 0)
		return -1;
	for (size_t i = 0; i < files.n; i++) {
		const char *path = files.v[i], *last;
		_close_ int dir = -1;

		if (git_index_get_bypath(index, path, 0)) {
			strv_add(&changed, path);
			continue;
		}
		dir = file_open_parent(top, ".", path, 0, &last);
		if (dir < 0 || unlinkat(dir, last, 0) < 0)
			return err_errno(err, "delete %s", path);
	}
	json_set_strv(answer, "changed", &changed);
	return 0;
}

int worktree_candidate(struct output *out, const struct candidate_request *req,
		       cJSON *answer, struct err *err)
{
	_repo_worktree_ struct repo_worktree w = REPO_WORKTREE_NONE;
	_git_commit_ git_commit *commit = NULL;
	git_checkout_options opt;
	git_oid from, to;

	git_checkout_options_init(&opt, GIT_CHECKOUT_OPTIONS_VERSION);
	opt.checkout_strategy = GIT_CHECKOUT_FORCE;
	if (repo_worktree_open(&w, &req->place, err) < 0 ||
	    clean(&w, answer, err) < 0)
		return -1;
	if (git_oid_fromstr(&to, req->commit) < 0 ||
	    git_commit_lookup(&commit, w.git, &to) < 0 ||
	    git_reference_name_to_id(&from, w.git, "HEAD") < 0)
		return repo_err(err, ERR_FAILED, "read the commit");
	umask(repo_share(w.git));
	if (git_checkout_tree(w.git, (git_object *)commit, &opt) < 0 ||
	    git_repository_set_head_detached(w.git, &to) < 0)
		return repo_err(err, ERR_FAILED, "check out %.10s in %s",
				req->commit, w.path);
	return check_changes(&w, &from, &to, err);
}
