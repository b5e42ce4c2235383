/*
 * git_lock.c - git's locks of a worktree. They are recorded in a file of git's
 * entry, by their inodes, so that the next run removes those of a killed one
 * and no other.
 */
#include "worktrees/private/git_lock.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "worktrees/private/private_ref.h"

#define LOCKS	  "afw-locks"
#define LOCKS_MAX ((size_t)4096)

static uint64_t inode(int fd)
{
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 ? st.st_ino : 0;
}

/* Records git's locks by their inodes: if this is killed, the next run removes
 * them. */
static int record_locks(struct git_lock *l, const struct repo_worktree *w,
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
	return file_write(l->record, text.data, text.len, err);
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

void git_lock_clear(const struct repo_worktree *w, int admin,
		    const struct repo_place *place)
{
	_json_ cJSON *o = json_load(admin, LOCKS, LOCKS_MAX, NULL);
	_free_ char *head = mem_printf("refs/heads/%s.lock", place->branch);

	if (!o)
		return;
	remove_lock(w->admin, "index.lock", json_u64(o, "index", 0));
	if (place->private) {
		remove_lock(place->private, "index.lock",
			    json_u64(o, "private_index", 0));
		remove_lock(place->private, head,
			    json_u64(o, "private_head", 0));
	}
	unlinkat(admin, LOCKS, 0);
}

int git_lock_take(struct git_lock *l, const struct repo_worktree *w,
		  const struct repo_place *place, const git_oid *tip,
		  struct err *err)
{
	const char *private = place->private;
	_free_ char *index = file_join(w->admin, "index"),
		    *ref = mem_printf("refs/heads/%s", place->branch);
	git_oid now = {0};

	if (private
		? private_ref_find(private, ref, &now, err) < 0 ||
		      private_commit_begin(&l->private, private, place->branch,
					   tip ? tip : &now, err) < 0
		: index_lock_acquire(&l->index, index, NULL, NULL, err) < 0)
		return -1;
	return record_locks(l, w, err);
}

void git_lock_release(struct git_lock *l)
{
	index_lock_finish(&l->index);
	private_commit_finish(&l->private);
	if (l->record)
		unlink(l->record);
	free(l->record);
	l->record = NULL;
}
