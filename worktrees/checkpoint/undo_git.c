/*
 * undo_git.c - git's side of an undo: its locks, the index and the branch.
 */
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
#define LOCKS	  "afw-undo.locks"
#define LOCKS_MAX ((size_t)4096)

int undo_write_file(const char *path, const void *data, size_t len,
		    struct err *err)
{
	_close_ int fd = open(
	    path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);

	return fd < 0 || file_write_all(fd, data, len) < 0 || fsync(fd) < 0
		   ? err_errno(err, "write %s", path)
		   : 0;
}

static uint64_t inode(int fd)
{
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 ? st.st_ino : 0;
}

/* Records git's locks by their inodes: if this is killed, the next run removes
 * them. */
static int record_locks(struct undo_lock *l, const struct repo_worktree *w,
			struct err *err)
{
	_json_ cJSON *o = cJSON_CreateObject();
	_buf_ struct buf text = {0};
	struct stat st;

	if (l->index.lock && stat(l->index.lock, &st) == 0)
		json_set_u64(o, "index", st.st_ino);
	json_set_u64(o, "private_index", inode(l->private.index));
	json_set_u64(o, "private_head", inode(l->private.head));
	json_print(o, &text);
	l->record = file_join(w->admin, LOCKS);
	return undo_write_file(l->record, text.data, text.len, err);
}

static void remove_lock(const char *dir, const char *name, uint64_t ino)
{
	const char *last;
	_close_ int at = file_open_parent(AT_FDCWD, dir, name, 0, &last);
	struct stat st;

	if (ino && at >= 0 &&
	    fstatat(at, last, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    st.st_ino == ino)
		unlinkat(at, last, 0);
}

void undo_lock_clear(const struct repo_worktree *w, int admin, const cJSON *req)
{
	_json_ cJSON *o = json_load(admin, LOCKS, LOCKS_MAX, NULL);
	const char *private = json_str(req, "private");
	_free_ char *head =
	    mem_printf("refs/heads/%s.lock", json_str_or(req, "branch", ""));

	unlinkat(admin, NEW_INDEX, 0);
	if (!o)
		return;
	remove_lock(w->admin, "index.lock", json_u64(o, "index", 0));
	if (private) {
		remove_lock(private, "index.lock",
			    json_u64(o, "private_index", 0));
		remove_lock(private, head, json_u64(o, "private_head", 0));
	}
	unlinkat(admin, LOCKS, 0);
}

int undo_lock_take(struct undo_lock *l, const struct repo_worktree *w,
		   const cJSON *req, struct err *err)
{
	const char *private = json_str(req, "private"),
		   *branch = json_str_or(req, "branch", "");
	_free_ char *index = file_join(w->admin, "index"),
		    *ref = mem_printf("refs/heads/%s", branch);
	git_oid tip = {0};

	if (private ? private_ref_find(private, ref, &tip, err) < 0 ||
			  private_commit_begin(&l->private, private, branch,
					       &tip, err) < 0
		    : index_lock_acquire(&l->index, index, NULL, NULL, err) < 0)
		return -1;
	return record_locks(l, w, err);
}

void undo_lock_release(struct undo_lock *l)
{
	index_lock_finish(&l->index);
	private_commit_finish(&l->private);
	if (l->record)
		unlink(l->record);
	free(l->record);
	l->record = NULL;
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
	if (undo_write_file(file, git_blob_rawcontent(blob),
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

int undo_set_git(struct undo_lock *l, const struct repo_worktree *w,
		 const cJSON *req, const git_oid *from,
		 const struct checkpoint *to, cJSON *answer, struct err *err)
{
	const char *private = json_str(req, "private");
	_free_ char *file = file_join(w->admin, NEW_INDEX),
		    *index = file_join(w->admin, "index");
	int rc = make_index(w, file, to, err);

	if (rc == 0 && !private) {
		rc = rename(file, index) < 0
			 ? err_errno(err, "write the index %s", index)
			 : move_branch(w, to->head, from, to, err);
		if (rc < 0)
			index_lock_revert(&l->index, NULL);
	} else if (rc == 0) {
		rc = private_commit_end(&l->private, file, &to->commit, err);
		set_index_time(private, to);
		private_commit_finish(&l->private);
		if (rc == 0)
			rc = harvest(req, answer, err);
	}
	unlink(file);
	return rc;
}
