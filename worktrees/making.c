/* making.c - the mark on a worktree that is not finished. */
#include "worktrees/making.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/delete_tree.h"
#include "base/file.h"
#include "base/json.h"

#define MARK	 "locked"
#define MARK_NEW "locked.new"
#define MAX_MARK 8192

int making_note(struct making *m, struct err *err)
{
	cJSON *o = cJSON_CreateObject();
	struct buf text = {0};
	int r = 0;

	json_set_str(o, "afw", "making this worktree");
	json_set_str(o, "ref", m->ref);
	json_set_str(o, "commit", git_oid_tostr_s(&m->commit));
	json_set_bool(o, "has_tree", m->has_tree);
	json_set_bool(o, "has_ref", m->has_ref);
	if (m->has_tree)
		json_set_u64(o, "ino", m->ino);
	json_print(o, &text);
	buf_addc(&text, '\n');
	/* it only grows, but for a word of the same meaning */
	if (pwrite(m->fd, text.data, text.len, 0) != (ssize_t)text.len ||
	    ftruncate(m->fd, (off_t)text.len) < 0)
		r = err_errno(err, "write the mark of an unfinished worktree");
	buf_finish(&text);
	cJSON_Delete(o);
	return r;
}

int making_begin(struct making *m, int entry, const char *ref,
		 const git_oid *commit, struct err *err)
{
	m->ref = mem_strdup(ref);
	m->commit = *commit;
	/* held before anybody can see it by its name */
	m->fd =
	    openat(entry, MARK_NEW,
		   O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (m->fd < 0 || flock(m->fd, LOCK_EX | LOCK_NB) < 0)
		return err_errno(err, "mark an unfinished worktree");
	if (making_note(m, err) < 0)
		return -1;
	if (renameat(entry, MARK_NEW, entry, MARK) < 0)
		return err_errno(err, "mark an unfinished worktree");
	return 0;
}

int making_end(struct making *m, int entry, struct err *err)
{
	if (unlinkat(entry, MARK, 0) < 0)
		return err_errno(err, "unlock the worktree");
	close(m->fd);
	m->fd = -1;
	return 0;
}

void making_finish(struct making *m)
{
	if (!m)
		return;
	if (m->fd >= 0)
		close(m->fd);
	free(m->ref);
	m->ref = NULL;
	m->fd = -1;
}

static void undo_ref(git_repository *git, const cJSON *mark)
{
	const char *name = json_str(mark, "ref");
	const char *hex = json_str(mark, "commit");
	git_reference *ref = NULL;
	git_oid oid;

	if (!json_bool(mark, "has_ref", false) || !name || !hex ||
	    git_oid_fromstr(&oid, hex) < 0)
		return;
	if (git_reference_lookup(&ref, git, name) == 0 &&
	    git_reference_target(ref) &&
	    git_oid_equal(git_reference_target(ref), &oid))
		git_reference_delete(ref);
	git_reference_free(ref);
}

static bool undo_tree(int dir, const char *base, const cJSON *mark)
{
	struct stat st, up;
	struct err err;

	if (fstatat(dir, base, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT;
	/* the crash came before it was noted: empty then */
	if (!json_bool(mark, "has_tree", false))
		return unlinkat(dir, base, AT_REMOVEDIR) == 0;
	if (json_u64(mark, "ino", 0) != st.st_ino || fstat(dir, &up) < 0 ||
	    up.st_dev != st.st_dev)
		return false;
	return delete_tree(dir, base, &err) == 0;
}

bool making_undo_stale(git_repository *git, int admins, const char *id, int dir,
		       const char *base)
{
	int entry, mark = -1;
	struct buf text = {0};
	cJSON *o = NULL;
	struct err err;
	bool gone = false;

	entry =
	    openat(admins, id, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (entry >= 0)
		mark = openat(entry, MARK,
			      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (mark < 0 || flock(mark, LOCK_EX | LOCK_NB) < 0)
		goto out;
	if (file_read(entry, MARK, MAX_MARK, &text, &err) == 0)
		o = json_parse_object(text.data ? text.data : "", text.len,
				      &err);
	/* what `git worktree lock` writes is no such object */
	if (!o || !json_str(o, "afw") || !undo_tree(dir, base, o))
		goto out;
	gone = delete_tree(admins, id, &err) == 0;
	if (gone)
		undo_ref(git, o);
out:
	cJSON_Delete(o);
	buf_finish(&text);
	if (mark >= 0)
		close(mark);
	if (entry >= 0)
		close(entry);
	return gone;
}
