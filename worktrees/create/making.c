/* making.c - git's entry of a worktree that is not finished, or goes. */
#include "worktrees/create/making.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/delete_tree.h"
#include "base/file.h"
#include "base/json.h"
#include "base/random.h"
#include "worktrees/git/branch.h"

#define MARK	    "locked"
#define MAX_MARK    8192
#define HIDDEN	    ".afw-"
#define HIDDEN_HEX  16
#define HIDDEN_SIZE (sizeof HIDDEN + HIDDEN_HEX)
#define LOOK_MS	    10

static void hidden_name(char name[HIDDEN_SIZE])
{
	char hex[HIDDEN_HEX + 1];

	random_hex(hex, HIDDEN_HEX);
	snprintf(name, HIDDEN_SIZE, HIDDEN "%s", hex);
}

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

/* The directory under another name, held. */
static int make_hidden(int admins, char name[HIDDEN_SIZE])
{
	int fd, why;

	hidden_name(name);
	if (mkdirat(admins, name, 0777) < 0)
		return -1;
	fd = openat(admins, name, FILE_DIR_FLAGS);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	why = errno == EWOULDBLOCK ? ENOENT /* another run sweeps it away */
				   : errno;
	file_close(fd);
	if (why != ENOENT)
		unlinkat(admins, name, AT_REMOVEDIR);
	errno = why;
	return -1;
}

/* Where it is gone, it was swept away, or all of git's entries were. */
static enum making_result failed(const char *id, struct err *err)
{
	bool gone = errno == ENOENT;

	err_errno(err, "make git's entry %s", id);
	file_hint_locks(err);
	return gone ? MAKING_AGAIN : MAKING_FAILED;
}

static int mark(struct making *m, int entry)
{
	struct err sub;

	m->fd =
	    openat(entry, MARK,
		   O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	return m->fd < 0 || flock(m->fd, LOCK_EX | LOCK_NB) < 0
		   ? -1
		   : making_note(m, &sub);
}

/* In one step, and never over another. */
static enum making_result show(int admins, const char *name, const char *id,
			       struct err *err)
{
	if (file_rename_new(admins, name, admins, id) == 0)
		return MAKING_DONE;
	if (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR)
		return MAKING_TAKEN;
	return failed(id, err);
}

enum making_result making_begin(struct making *m, int admins, const char *id,
				const char *ref, const git_oid *commit,
				struct err *err)
{
	char name[HIDDEN_SIZE];
	enum making_result r;
	struct err sub;
	int entry = make_hidden(admins, name);

	if (entry < 0)
		return failed(id, err);
	m->ref = mem_strdup(ref);
	m->commit = *commit;
	r = mark(m, entry) == 0 ? show(admins, name, id, err) : failed(id, err);
	if (r != MAKING_DONE) {
		making_finish(m);
		delete_tree(admins, name, &sub);
	}
	close(entry);
	return r;
}

int making_end(struct making *m, int entry, struct err *err)
{
	if (unlinkat(entry, MARK, 0) < 0)
		return err_errno(err, "unlock the worktree");
	file_reset(&m->fd);
	return 0;
}

void making_finish(struct making *m)
{
	if (!m)
		return;
	file_close(m->fd);
	free(m->ref);
	m->ref = NULL;
	m->fd = -1;
}

/* The very branch that was made, where it was made: the mark is a file that
 * others can write, too. */
static void undo_ref(git_repository *git, const cJSON *o)
{
	const char *name = json_str(o, "ref");
	const char *hex = json_str(o, "commit");
	bool deleted;
	char *kept = NULL;
	struct err err;
	git_oid oid;

	if (json_bool(o, "has_ref", false) && name &&
	    strncmp(name, "refs/heads/", 11) == 0 && hex &&
	    git_oid_fromstr(&oid, hex) == 0)
		branch_delete(git, name + 11, &oid, "merged", NULL, &deleted,
			      &kept, &err);
	free(kept);
}

static bool undo_tree(int dir, const char *base, const cJSON *o)
{
	struct stat st, up;
	struct err err;

	if (dir < 0)
		return true;
	if (fstatat(dir, base, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT;
	/* the crash came before it was noted: empty then */
	if (!json_bool(o, "has_tree", false))
		return unlinkat(dir, base, AT_REMOVEDIR) == 0;
	if (json_u64(o, "ino", 0) != st.st_ino || fstat(dir, &up) < 0 ||
	    up.st_dev != st.st_dev)
		return false;
	return delete_tree(dir, base, &err) == 0;
}

bool making_is_mark(const char *text)
{
	return strncmp(text, "{\"afw\":", 7) == 0;
}

/* The mark, held now; NULL: there is none, or a living run has it (*busy). */
static cJSON *take_mark(int admins, const char *id, int *fd, bool *busy)
{
	int entry = openat(admins, id, FILE_DIR_FLAGS);
	cJSON *o = NULL;

	*busy = false;
	*fd = entry < 0
		  ? -1
		  : openat(entry, MARK,
			   O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (*fd >= 0)
		o = json_load(entry, MARK, MAX_MARK, NULL);
	/* what `git worktree lock` writes is no such object */
	if (json_str(o, "afw"))
		*busy = flock(*fd, LOCK_EX | LOCK_NB) < 0;
	if (!json_str(o, "afw") || *busy) {
		cJSON_Delete(o);
		o = NULL;
		file_reset(fd);
	}
	file_close(entry);
	return o;
}

bool making_is_stale(int admins, const char *id)
{
	bool busy;
	int fd;
	cJSON *o = take_mark(admins, id, &fd, &busy);

	cJSON_Delete(o);
	file_close(fd);
	return o != NULL;
}

/* Its branch is not checked out there any more. */
static void drop_head(int admins, const char *id)
{
	int entry = openat(admins, id, FILE_DIR_FLAGS);

	if (entry >= 0) {
		unlinkat(entry, "HEAD", 0);
		close(entry);
	}
}

bool making_undo_stale(git_repository *git, int admins, const char *id, int dir,
		       const char *base, int64_t wait_ms)
{
	int64_t end = clock_mono_ms() + wait_ms;
	bool busy, gone = false;
	struct err err;
	cJSON *o;
	int fd;

	while (!(o = take_mark(admins, id, &fd, &busy)) && busy &&
	       clock_mono_ms() < end)
		poll(NULL, 0, LOOK_MS);
	if (!o)
		return false;
	/* The entry last: with it goes what is known of the others. */
	if (undo_tree(dir, base, o)) {
		drop_head(admins, id);
		undo_ref(git, o);
		gone = making_remove_entry(admins, id, &err) == 0;
	}
	cJSON_Delete(o);
	close(fd);
	return gone;
}

int making_remove_entry(int admins, const char *id, struct err *err)
{
	int entry = openat(admins, id, FILE_DIR_FLAGS), r = 0;
	char name[HIDDEN_SIZE];
	struct err sub;

	hidden_name(name);
	/* Held, it is nobody's to sweep away. Without the file gitdir git does
	 * not see it, which would complain of the other name, and of half of
	 * it. */
	if (entry >= 0) {
		(void)flock(entry, LOCK_EX | LOCK_NB);
		unlinkat(entry, "gitdir", 0);
	}
	/* What cannot be deleted now is swept away another time. */
	if (renameat(admins, id, admins, name) < 0)
		r = err_errno(err, "remove git's entry %s", id);
	else
		delete_tree(admins, name, &sub);
	file_close(entry);
	return r;
}

size_t making_sweep(int admins, bool apply)
{
	DIR *d = file_list(admins, ".");
	const char *name;
	size_t n = 0;

	while ((name = file_list_next(d))) {
		struct err err;
		int fd;

		if (!random_is_named(name, HIDDEN, HIDDEN_HEX))
			continue;
		fd = openat(admins, name, FILE_DIR_FLAGS);
		if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
			n++;
			if (apply)
				delete_tree(admins, name, &err);
		}
		file_close(fd);
	}
	file_list_end(d);
	return n;
}
