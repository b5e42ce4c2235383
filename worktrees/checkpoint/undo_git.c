/* undo_git.c - git's side of an undo: the commits that leave the branch, the
 * index and the branch. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worktrees/checkpoint/undo.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/private/harvest.h"
#include "worktrees/private/private_ref.h"

#define NEW_INDEX   "afw-undo.index"
#define COMMITS_MAX 1000

/* -- the commits -----------------------------------------------------------
 */

/* Hides what was pushed as this branch; from a sandbox: only its private git
 * directory knows that. Commits of other branches are not lost. */
static int hide_pushed(git_revwalk *walk, git_repository *git,
		       const struct repo_place *place)
{
	git_strarray remotes = {0};
	int rc = git_remote_list(&remotes, git);

	for (size_t i = 0; rc == 0 && i < remotes.count; i++) {
		_free_ char *ref = mem_printf(
		    "refs/remotes/%s/%s", remotes.strings[i], place->branch);
		_git_commit_ git_commit *commit = NULL;
		git_oid id;

		if (git_reference_name_to_id(&id, git, ref) == 0)
			rc = git_revwalk_hide(walk, &id);
		if (rc == 0 && place->private &&
		    private_ref_find(place->private, ref, &id, NULL) == 1 &&
		    git_commit_lookup(&commit, git, &id) == 0)
			rc = git_revwalk_hide(walk, &id);
	}
	git_strarray_dispose(&remotes);
	return rc;
}

/* Walks the commits that leave the branch; place NULL: all of them, else those
 * that were not pushed. */
static git_revwalk *walk_commits(git_repository *git,
				 const struct repo_place *place,
				 const struct checkpoint *now,
				 const struct checkpoint *to, struct err *err)
{
	_git_revwalk_ git_revwalk *walk = NULL;

	if (git_revwalk_new(&walk, git) < 0 ||
	    git_revwalk_sorting(walk, GIT_SORT_TOPOLOGICAL) < 0 ||
	    git_revwalk_push(walk, &now->commit) < 0 ||
	    git_revwalk_hide(walk, &to->commit) < 0 ||
	    (place && hide_pushed(walk, git, place) < 0)) {
		repo_err(err, ERR_FAILED, "list the commits");
		return NULL;
	}
	return TAKE_PTR(walk);
}

static int add_commit(cJSON *list, git_repository *git, const git_oid *id,
		      struct err *err)
{
	cJSON *o = cJSON_CreateObject();
	_git_commit_ git_commit *commit = NULL;

	cJSON_AddItemToArray(list, o);
	if (git_commit_lookup(&commit, git, id) < 0)
		return repo_err(err, ERR_FAILED, "read a commit");
	json_set_str(o, "commit", git_oid_tostr_s(id));
	json_set_str(o, "subject", git_commit_summary(commit));
	return 0;
}

/* Lists the commits that leave the branch, and refuses if one was pushed. */
static int check_commits(git_repository *git, const struct repo_place *place,
			 const struct checkpoint *now,
			 const struct checkpoint *to, bool redo, cJSON *answer,
			 struct err *err)
{
	cJSON *list = json_set_array(answer, "commits");
	_git_revwalk_ git_revwalk *all = walk_commits(git, NULL, now, to, err),
				  *alone = all ? walk_commits(git, place, now,
							      to, err)
					       : NULL;
	size_t n = 0, n_alone = 0;
	git_oid id;

	if (!alone)
		return -1;
	for (; git_revwalk_next(&id, all) == 0; n++)
		if (n < COMMITS_MAX && add_commit(list, git, &id, err) < 0)
			return -1;
	while (git_revwalk_next(&id, alone) == 0)
		n_alone++;
	if (n == n_alone || redo)
		return 0;
	err_set(err, ERR_CONFLICT,
		"%zu of the %zu commits that would leave the branch %s were "
		"pushed",
		n - n_alone, n, place->branch);
	return err_hint(err, "--keep-commits restores only the files");
}

int undo_check_branch(const struct repo_worktree *w,
		      const struct repo_place *place,
		      const struct checkpoint *now, const struct checkpoint *to,
		      bool redo, cJSON *answer, struct err *err)
{
	_free_ char *ref = mem_printf("refs/heads/%s", place->branch);

	if (!now->head || strcmp(now->head, ref) != 0)
		return err_set(err, ERR_CONFLICT, "it is not on its branch %s",
			       place->branch);
	if (!to->head || strcmp(to->head, ref) != 0 ||
	    git_oid_is_zero(&to->commit)) {
		err_set(err, ERR_CONFLICT,
			"at checkpoint %" PRId64 " it was not on its branch %s",
			to->number, place->branch);
		return err_hint(err, "--keep-commits restores only the files");
	}
	if (to->unfinished) {
		err_set(err, ERR_CONFLICT,
			"at checkpoint %" PRId64 " a merge, rebase or the like "
			"was unfinished",
			to->number);
		return err_hint(err, "--keep-commits restores only the files");
	}
	return check_commits(w->git, place, now, to, redo, answer, err);
}

/* -- the index and the branch ----------------------------------------------
 */

void undo_clear_index(int admin)
{
	unlinkat(admin, NEW_INDEX, 0);
}

/* Writes the checkpoint's index to a file, with the time that the index had:
 * git uses it to decide which entries it must check again. */
static int make_index(const struct repo_worktree *w, const char *file,
		      const struct checkpoint *c, struct err *err)
{
	const struct timespec times[] = {c->index_mtime, c->index_mtime};
	_git_blob_ git_blob *blob = NULL;
	_free_ char *old = file_join(w->admin, "index");
	struct stat st = {.st_mode = 0644};

	if (git_blob_lookup(&blob, w->git, &c->index) < 0)
		return repo_err(err, ERR_FAILED, "read the old index");
	if (file_write(file, git_blob_rawcontent(blob),
		       (size_t)git_blob_rawsize(blob), err) < 0)
		return -1;
	stat(old, &st);
	if (chmod(file, st.st_mode & 07777) < 0 ||
	    utimensat(AT_FDCWD, file, times, 0) < 0)
		return err_errno(err, "write %s", file);
	return 0;
}

static int move_branch(const struct repo_worktree *w, const char *ref,
		       const git_oid *from, const struct checkpoint *to,
		       struct err *err)
{
	_git_reference_ git_reference *moved = NULL;
	_free_ char *log =
	    mem_printf("afw: undo to checkpoint %" PRId64, to->number);
	int rc = git_oid_equal(from, &to->commit)
		     ? 0
		     : git_reference_create_matching(&moved, w->git, ref,
						     &to->commit, 1, from, log);

	if (rc == GIT_EMODIFIED)
		return err_set(err, ERR_CONFLICT,
			       "the branch was moved meanwhile");
	return rc < 0 ? repo_err(err, ERR_FAILED, "move %s", ref) : 0;
}

/* A branch that is elsewhere by now is not checked out: the files are not those
 * of its commit. */
static int move_head(const struct repo_worktree *w, const struct checkpoint *to,
		     struct err *err)
{
	git_oid tip;
	bool there = to->head &&
		     git_reference_name_to_id(&tip, w->git, to->head) == 0 &&
		     git_oid_equal(&tip, &to->commit);
	int rc = there ? git_repository_set_head(w->git, to->head)
		       : git_repository_set_head_detached(w->git, &to->commit);

	return rc < 0 ? repo_err(err, ERR_FAILED, "set HEAD of %s", w->path)
		      : 0;
}

static int move(const struct repo_worktree *w, const struct checkpoint *from,
		const struct checkpoint *to, struct err *err)
{
	return from->head && to->head && strcmp(from->head, to->head) == 0
		   ? move_branch(w, to->head, &from->commit, to, err)
		   : move_head(w, to, err);
}

/* The same for the index of a private git directory. */
static void set_index_time(const char *private, const struct checkpoint *c)
{
	const struct timespec times[] = {c->index_mtime, c->index_mtime};
	_close_ int dir = open(private, FILE_DIR_FLAGS);

	utimensat(dir, "index", times, AT_SYMLINK_NOFOLLOW);
}

/* An index with the same bytes stays. */
static int set_index(struct git_lock *l, const struct repo_worktree *w,
		     const struct checkpoint *from, const struct checkpoint *to,
		     const char *file, struct err *err)
{
	_free_ char *index = file_join(w->admin, "index");
	bool same = git_oid_equal(&from->index, &to->index);

	if (!same && (make_index(w, file, to, err) < 0 ||
		      (rename(file, index) < 0 &&
		       err_errno(err, "write the index %s", index) < 0)))
		return -1;
	if (move(w, from, to, err) == 0)
		return 0;
	if (!same)
		index_lock_revert(&l->index, NULL);
	return -1;
}

static int set_private(struct git_lock *l, const struct repo_worktree *w,
		       const struct repo_place *place,
		       const struct checkpoint *to, const char *file,
		       cJSON *answer, struct err *err)
{
	int rc;

	if (make_index(w, file, to, err) < 0)
		return -1;
	rc = private_commit_end(&l->private, file, &to->commit, err);
	set_index_time(place->private, to);
	private_commit_finish(&l->private);
	return rc == 0 ? harvest(place, answer, err) : -1;
}

int undo_set_git(struct git_lock *l, const struct repo_worktree *w,
		 const struct repo_place *place, const struct checkpoint *from,
		 const struct checkpoint *to, cJSON *answer, struct err *err)
{
	_free_ char *file = file_join(w->admin, NEW_INDEX);
	int rc = place->private
		     ? set_private(l, w, place, to, file, answer, err)
		     : set_index(l, w, from, to, file, err);

	unlink(file);
	return rc;
}
