/* undo_git.c - git's side of an undo: the index and the branch. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worktrees/checkpoint/undo.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/private/harvest.h"
#include "worktrees/private/private_ref.h"

#define NEW_INDEX "afw-undo.index"

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
	return chmod(file, st.st_mode & 07777) < 0 ||
		       utimensat(AT_FDCWD, file, times, 0) < 0
		   ? err_errno(err, "write %s", file)
		   : 0;
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
	if (move_branch(w, to->head, &from->commit, to, err) == 0)
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
