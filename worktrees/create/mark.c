/* mark.c - marks git's entry of a worktree that is being made, or removed. */
#include "worktrees/create/mark.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/delete_tree.h"
#include "base/file.h"
#include "base/json.h"
#include "base/made_dir.h"
#include "base/random.h"
#include "worktrees/git/branch.h"
#include "worktrees/git/place.h"

#define HEADS	    "refs/heads/"
#define MARK_FILE   "locked"
#define MAX_MARK    16384
#define MAX_SPEC    ((size_t)4 * 1024 * 1024)
#define HIDDEN	    ".afw-"
#define HIDDEN_HEX  16
#define HIDDEN_SIZE (sizeof HIDDEN + HIDDEN_HEX)
#define POLL_MS	    10

static void set_hidden_name(char name[HIDDEN_SIZE])
{
	char hex[HIDDEN_HEX + 1];

	random_hex(hex, HIDDEN_HEX);
	snprintf(name, HIDDEN_SIZE, HIDDEN "%s", hex);
}

int mark_write(struct mark *m, struct err *err)
{
	_json_ cJSON *o = cJSON_CreateObject();
	_buf_ struct buf text = {0};

	json_set_str(o, "afw", "making this worktree");
	json_set_str(o, "ref", m->ref);
	json_set_str(o, "commit", git_oid_tostr_s(&m->commit));
	json_set_str(o, "worktree", m->path);
	json_set_str(o, "session", m->session);
	json_set_bool(o, "has_tree", m->has_tree);
	json_set_bool(o, "has_ref", m->has_ref);
	if (m->has_tree)
		json_set_u64(o, "ino", m->ino);
	json_print(o, &text);
	buf_addc(&text, '\n');
	/* it only grows, or true replaces false */
	if (pwrite(m->fd, text.data, text.len, 0) != (ssize_t)text.len ||
	    ftruncate(m->fd, (off_t)text.len) < 0)
		return err_errno(err,
				 "write the mark of an unfinished worktree");
	return 0;
}

/* Makes the directory under another name, locked. */
static int make_hidden(int admins, char name[HIDDEN_SIZE])
{
	_close_ int fd = -1;
	int why;

	set_hidden_name(name);
	if (mkdirat(admins, name, 0777) < 0)
		return -1;
	fd = openat(admins, name, FILE_DIR_FLAGS);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		return TAKE_FD(fd);
	why = errno == EWOULDBLOCK ? ENOENT /* another run deletes it */
				   : errno;
	if (why != ENOENT)
		unlinkat(admins, name, AT_REMOVEDIR);
	errno = why;
	return -1;
}

/* If it is gone, another run deleted it, or all of git's entries. */
static enum mark_result fail_entry(const char *id, struct err *err)
{
	bool gone = errno == ENOENT;

	err_errno(err, "make git's entry %s", id);
	file_hint_locks(err);
	return gone ? MARK_AGAIN : MARK_FAILED;
}

static int write_mark(struct mark *m, int entry)
{
	struct err sub;

	m->fd =
	    openat(entry, MARK_FILE,
		   O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (m->fd < 0 || flock(m->fd, LOCK_EX | LOCK_NB) < 0)
		return -1;
	return mark_write(m, &sub);
}

/* Renames in one step, never over another entry. */
static enum mark_result publish_entry(int admins, const char *name,
				      const char *id, struct err *err)
{
	if (file_rename_new(admins, name, admins, id) == 0)
		return MARK_DONE;
	if (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR)
		return MARK_TAKEN;
	return fail_entry(id, err);
}

enum mark_result mark_begin(struct mark *m, int admins, const char *id,
			    struct err *err)
{
	char name[HIDDEN_SIZE];
	enum mark_result r;
	struct err sub;
	_close_ int entry = make_hidden(admins, name);

	if (entry < 0)
		return fail_entry(id, err);
	r = write_mark(m, entry) == 0 ? publish_entry(admins, name, id, err)
				      : fail_entry(id, err);
	if (r != MARK_DONE) {
		file_reset(&m->fd);
		delete_tree(admins, name, &sub);
	}
	return r;
}

void mark_end(struct mark *m, int entry)
{
	unlinkat(entry, MARK_FILE, 0);
	file_reset(&m->fd);
}

/* Removes the directory that was made, and no other. If the run was killed
 * before it was noted, it is empty. */
static int undo_tree(const struct mark *m, struct err *err)
{
	_close_ int dir = m->path ? made_dir_parent(m->path, err) : -1;
	_close_ int fd = dir >= 0 && m->has_tree
			     ? made_dir_open(dir, m->path, m->ino, err)
			     : -1;

	if (fd >= 0)
		return delete_tree(dir, repo_basename(m->path), err);
	if (m->path && m->has_tree)
		return errno == ENOENT ? 0 : -1;
	if (dir >= 0)
		unlinkat(dir, repo_basename(m->path), AT_REMOVEDIR);
	return 0;
}

static int undo_ref(const struct mark *m, git_repository *git, struct err *err)
{
	_free_ char *kept = NULL;
	bool deleted;

	return m->has_ref
		   ? branch_delete(git, m->ref + strlen(HEADS), &m->commit,
				   m->stale ? "merged" : "always", &m->commit,
				   &deleted, &kept, err)
		   : 0;
}

/* Hides the entry from git, which needs the file gitdir; then deletes HEAD, so
 * that its branch is free. */
static void hide_entry(int admins, const char *id)
{
	_close_ int entry = openat(admins, id, FILE_DIR_FLAGS);

	unlinkat(entry, "gitdir", 0);
	unlinkat(entry, "HEAD", 0);
}

int mark_undo(const struct mark *m, git_repository *git, int admins,
	      const char *id, struct err *err)
{
	_free_ char *in = m->path ? repo_dirname(m->path) : NULL;

	if (undo_tree(m, err) < 0)
		return -1;
	/* .af_worktrees may be the user's own, which was refused. */
	if (in && (m->has_tree || strcmp(repo_basename(in), PLACE_DIR) != 0))
		place_drop_empty(in);
	hide_entry(admins, id);
	return undo_ref(m, git, err) < 0 ? -1
					 : mark_remove_entry(admins, id, err);
}

bool mark_is_text(const char *text)
{
	return strncmp(text, "{\"afw\":", 7) == 0;
}

static bool has_id(const cJSON *spec, const char *id)
{
	return strcmp(json_str_or(spec, "worktree_id", ""), id) == 0;
}

/* True if the session that it was made for has recorded it. */
static bool is_recorded(const cJSON *o, const char *id)
{
	const char *dir = json_str(o, "session");
	_free_ char *path = dir ? file_join(dir, "spec.json") : NULL;
	_json_ cJSON *spec =
	    path ? json_load(AT_FDCWD, path, MAX_SPEC, NULL) : NULL;

	const cJSON *other;
	bool is = spec ? has_id(spec, id) : path && errno != ENOENT;

	cJSON_ArrayForEach (other, json_get(spec, "with"))
		is |= has_id(other, id);
	return is;
}

/* Locks a mark and checks that it still exists: a run removes its mark before
 * it unlocks it, and the entry may be another run's by now. */
static bool lock_there(int fd)
{
	struct stat st;

	return flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &st) == 0 &&
	       st.st_nlink > 0;
}

/* Returns the mark, locked now; NULL: there is none, or a running run has it
 * (*busy). Removes the mark of a recorded worktree, whose run was killed at its
 * last step. */
static cJSON *lock_mark(int admins, const char *id, int *fd, bool *busy)
{
	_close_ int entry = openat(admins, id, FILE_DIR_FLAGS);
	_json_ cJSON *o = NULL;
	bool is;

	*fd = openat(entry, MARK_FILE,
		     O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (*fd >= 0)
		o = json_load(entry, MARK_FILE, MAX_MARK, NULL);
	/* `git worktree lock` writes other text */
	is = json_str(o, "afw") != NULL;
	*busy = is && !lock_there(*fd);
	if (is && !*busy && !is_recorded(o, id))
		return TAKE_PTR(o);
	if (is && !*busy)
		unlinkat(entry, MARK_FILE, 0);
	file_reset(fd);
	return NULL;
}

bool mark_is_stale(int admins, const char *id)
{
	bool busy;
	_close_ int fd = -1;
	_json_ cJSON *o = lock_mark(admins, id, &fd, &busy);

	return o != NULL;
}

char *mark_ref(int admins, const char *id)
{
	_close_ int entry = openat(admins, id, FILE_DIR_FLAGS);
	_json_ cJSON *o =
	    entry < 0 ? NULL : json_load(entry, MARK_FILE, MAX_MARK, NULL);

	return mem_strdup(json_str(o, "afw") ? json_str(o, "ref") : NULL);
}

/* True if path may be the worktree of the entry id: other programs can write
 * the mark, too. */
static bool is_place(const char *path, const char *id)
{
	const char *base = repo_basename(path);
	_free_ char *dir = repo_dirname(path);

	return path[0] == '/' && !strstr(path, "/../") && place_is(dir) &&
	       place_is_name(base) && place_is_id(dir, base, id);
}

/* Reads the mark; false if it is invalid. */
static bool read_mark(struct mark *m, const cJSON *o, const char *id)
{
	const char *hex = json_str(o, "commit");

	*m = (struct mark){.ref = json_str(o, "ref"),
			   .path = json_str(o, "worktree"),
			   .has_tree = json_bool(o, "has_tree", false),
			   .has_ref = json_bool(o, "has_ref", false),
			   .ino = json_u64(o, "ino", 0),
			   .stale = true};
	return m->ref && strncmp(m->ref, HEADS, strlen(HEADS)) == 0 && hex &&
	       git_oid_fromstr(&m->commit, hex) == 0 &&
	       (!m->path || is_place(m->path, id));
}

static bool has_moved(const struct mark *m, git_repository *git)
{
	git_oid at;

	return git_reference_name_to_id(&at, git, m->ref) == 0 &&
	       !git_oid_equal(&at, &m->commit);
}

int mark_undo_stale(git_repository *git, int admins, const char *id,
		    int64_t wait_ms, struct err *err)
{
	int64_t end = clock_mono_ms() + wait_ms;
	_close_ int fd = -1;
	_json_ cJSON *o = NULL;
	struct mark m;
	bool busy;

	while (!(o = lock_mark(admins, id, &fd, &busy)) && busy &&
	       clock_mono_ms() < end)
		poll(NULL, 0, POLL_MS);
	if (!o || !read_mark(&m, o, id) || has_moved(&m, git))
		return 0;
	return mark_undo(&m, git, admins, id, err) < 0 ? -1 : 1;
}

int mark_remove_entry(int admins, const char *id, struct err *err)
{
	_close_ int entry = openat(admins, id, FILE_DIR_FLAGS);
	char name[HIDDEN_SIZE];
	struct err sub;

	set_hidden_name(name);
	/* While it is locked, no other run deletes it. Without the file gitdir
	 * git does not see it, and cannot complain about the other name or a
	 * half-deleted entry. */
	(void)flock(entry, LOCK_EX | LOCK_NB);
	unlinkat(entry, "gitdir", 0);
	if (renameat(admins, id, admins, name) < 0)
		return err_errno(err, "remove git's entry %s", id);
	/* If it cannot be deleted now, a later run deletes it. */
	delete_tree(admins, name, &sub);
	return 0;
}

size_t mark_sweep(int admins, bool apply)
{
	_dir_ DIR *d = file_list(admins, ".");
	const char *name;
	size_t n = 0;

	while ((name = file_list_next(d))) {
		_close_ int fd = -1;
		struct err err;

		if (!random_is_named(name, HIDDEN, HIDDEN_HEX))
			continue;
		fd = openat(admins, name, FILE_DIR_FLAGS);
		if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0)
			continue;
		n++;
		if (apply)
			delete_tree(admins, name, &err);
	}
	return n;
}

void mark_undo_all(git_repository *git, int admins)
{
	_dir_ DIR *d = file_list(admins, ".");
	const char *id;
	struct err err;

	while ((id = file_list_next(d)))
		mark_undo_stale(git, admins, id, 0, &err);
	mark_sweep(admins, true);
}
