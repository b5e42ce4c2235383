/*
 * candidate.c - checks a commit out in the worktree where the check of a
 * candidate runs.
 *
 * The check before may have left anything there: each file that git would
 * report is made what the commit has, or deleted. Ignored files stay, such
 * as the products of the build, which the next check uses again.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/delete_tree.h"
#include "base/file.h"
#include "worktrees/changes/changes.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/filter.h"
#include "worktrees/git/sparse_index.h"
#include "worktrees/git/tree_diff.h"
#include "worktrees/operations.h"

/* Removes what is at the path, or in the place of a directory above it, and the
 * directories that are empty then: libgit2 would write through a link. Nothing
 * runs there. */
static int remove_path(int top, const char *path, struct err *err)
{
	_free_ char *up = mem_strdup(path);
	struct stat st;
	char *slash;

	for (slash = strchr(up, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (fstatat(top, up, &st, AT_SYMLINK_NOFOLLOW) < 0)
			return 0;
		if (!S_ISDIR(st.st_mode))
			return unlinkat(top, up, 0) < 0
				   ? err_errno(err, "delete %s", up)
				   : 0;
		*slash = '/';
	}
	if (fstatat(top, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	if (S_ISDIR(st.st_mode) ? delete_tree(top, path, err) < 0
				: unlinkat(top, path, 0) < 0 &&
				      err_errno(err, "delete %s", path) < 0)
		return -1;
	while ((slash = strrchr(up, '/'))) {
		*slash = '\0';
		if (unlinkat(top, up, AT_REMOVEDIR) < 0)
			break;
	}
	return 0;
}

/* Removes all files that are not as in HEAD, and lists the tracked ones. */
static int clean(const struct repo_worktree *w, struct strv *changed,
		 struct err *err)
{
	_git_index_ git_index *index = NULL;
	_git_diff_ git_diff *diff = NULL;
	_close_ int top = open(w->path, FILE_DIR_FLAGS);
	git_oid head;

	if (top < 0 || sparse_index_of(&index, w->git) < 0 ||
	    git_reference_name_to_id(&head, w->git, "HEAD") < 0)
		return repo_err(err, ERR_FAILED, "open %s", w->path);
	diff = changes_since(w, &head, false, err);
	for (size_t i = 0; diff && i < git_diff_num_deltas(diff); i++) {
		const git_diff_delta *d = git_diff_get_delta(diff, i);
		_free_ char *path = mem_strdup(
		    d->new_file.path ? d->new_file.path : d->old_file.path);
		size_t len = strlen(path);

		if (d->status == GIT_DELTA_UNMODIFIED)
			continue;
		/* A repository in the worktree, as a directory. */
		if (path[len - 1] == '/')
			path[len - 1] = '\0';
		else if (git_index_get_bypath(index, path, 0))
			strv_add(changed, path);
		if (remove_path(top, path, err) < 0)
			return -1;
	}
	return diff ? 0 : -1;
}

/* Removes what the commit changes: an ignored link may be in its place. Refuses
 * what the check would not see as git would have it. */
static int make_room(const struct repo_worktree *w, git_diff *diff,
		     struct strv *paths, struct err *err)
{
	_close_ int top = open(w->path, FILE_DIR_FLAGS);

	for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
		const git_diff_delta *d = git_diff_get_delta(diff, i);
		const char *path = d->new_file.path;

		if (d->new_file.mode == GIT_FILEMODE_COMMIT ||
		    d->old_file.mode == GIT_FILEMODE_COMMIT) {
			err_set(err, ERR_REFUSED,
				"%s is a submodule that it changes, which no "
				"check can be run on",
				path);
			return err_hint(err,
					"without --check it can be merged");
		}
		if (remove_path(top, path, err) < 0)
			return -1;
		strv_add(paths, path);
	}
	return 0;
}

/* Makes these files those of the commit, and looks at no other. */
static int check_out(const struct repo_worktree *w, const git_oid *id,
		     const struct strv *paths, struct err *err)
{
	_git_commit_ git_commit *commit = NULL;
	git_checkout_options opt;

	git_checkout_options_init(&opt, GIT_CHECKOUT_OPTIONS_VERSION);
	opt.checkout_strategy =
	    GIT_CHECKOUT_FORCE | GIT_CHECKOUT_DISABLE_PATHSPEC_MATCH;
	opt.paths = (git_strarray){paths->v, paths->n};
	umask(repo_share(w->git));
	if (git_commit_lookup(&commit, w->git, id) < 0 ||
	    (paths->n &&
	     git_checkout_tree(w->git, (git_object *)commit, &opt) < 0) ||
	    git_repository_set_head_detached(w->git, id) < 0)
		return repo_err(err, ERR_FAILED, "check out %.10s in %s",
				git_oid_tostr_s(id), w->path);
	return 0;
}

/* The attributes are the new ones by now. */
static int check_filters(const struct repo_worktree *w, git_diff *diff,
			 struct err *err)
{
	for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
		const git_diff_delta *d = git_diff_get_delta(diff, i);

		if (d->status != GIT_DELTA_DELETED &&
		    filter_refuse(w->git, d->new_file.path, err) < 0)
			return -1;
	}
	return 0;
}

static int compare(const struct repo_worktree *w, const git_oid *to,
		   git_diff **diff, struct err *err)
{
	_git_tree_ git_tree *old = NULL, *new = repo_tree(w->git, to, err);
	git_oid from;

	if (!new)
		return -1;
	return git_reference_name_to_id(&from, w->git, "HEAD") < 0 ||
		       !(old = repo_tree(w->git, &from, err)) ||
		       tree_diff_git(diff, w->git, old, new, 0) < 0
		   ? repo_err(err, ERR_FAILED, "compare with HEAD of %s",
			      w->path)
		   : 0;
}

int worktree_candidate(struct output *out, const struct candidate_request *req,
		       cJSON *answer, struct err *err)
{
	_repo_worktree_ struct repo_worktree w = REPO_WORKTREE_NONE;
	_git_diff_ git_diff *diff = NULL;
	_strv_ struct strv changed = {0}, paths = {0};
	git_oid to;

	if (repo_worktree_open(&w, &req->place, err) < 0)
		return -1;
	if (git_oid_fromstr(&to, req->commit) < 0)
		return repo_err(err, ERR_FAILED, "read the commit");
	if (compare(&w, &to, &diff, err) < 0 ||
	    (!req->clean && clean(&w, &changed, err) < 0))
		return -1;
	json_set_strv(answer, "changed", &changed);
	strv_copy(&paths, &changed);
	if (make_room(&w, diff, &paths, err) < 0 ||
	    check_out(&w, &to, &paths, err) < 0)
		return -1;
	return check_filters(&w, diff, err);
}
