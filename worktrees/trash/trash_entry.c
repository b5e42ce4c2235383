/*
 * trash_entry.c - moves git's entry of a worktree to the trash and back, and
 * says what work it has.
 *
 * A file is replaced by a new one that is renamed over it. On a full disk it is
 * rewritten in its block instead, so that rm works there; and so is always the
 * worktree's .git, where a killed run would leave the new one among the user's
 * files. Every step can be repeated: a run that was killed between two is
 * finished by the next.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "worktrees/changes/copied.h"
#include "worktrees/checkpoint/checkpoint.h"
#include "worktrees/create/mark.h"
#include "worktrees/git/branch.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/trash/trash.h"

#define REASON	 "in afw's trash (afw trash ls)"
#define WAS_ON	 "; HEAD was on "
#define FILE_MAX ((size_t)8192)

/* Pads the text with line feeds, which git ignores, to the old length. */
static int write_in_place(int dir, const char *name, const char *text,
			  off_t size, struct err *err)
{
	_close_ int fd =
	    openat(dir, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	_buf_ struct buf b = {0};

	buf_adds(&b, text);
	while (b.len < (size_t)size)
		buf_addc(&b, '\n');
	if (fd < 0 || pwrite(fd, b.data, b.len, 0) != (ssize_t)b.len ||
	    ftruncate(fd, (off_t)strlen(text)) < 0)
		return err_errno(err, "write %s", name);
	return 0;
}

/* Refuses anything but a file with one name: afw must not change it. */
static int replace_file(int dir, const char *name, const char *text,
			struct err *err)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return err_errno(err, "open %s", name);
	if (!S_ISREG(st.st_mode) || st.st_nlink != 1 ||
	    st.st_size > (off_t)FILE_MAX)
		return err_set(err, ERR_FAILED, "%s is not as git has made it",
			       name);
	if (strcmp(name, ".git") == 0)
		return write_in_place(dir, name, text, st.st_size, err);
	if (file_replace(dir, name, text, strlen(text), false, err) == 0) {
		fchmodat(dir, name, st.st_mode & 0777, 0);
		return 0;
	}
	return errno == ENOSPC || errno == EDQUOT
		   ? write_in_place(dir, name, text, st.st_size, err)
		   : -1;
}

int trash_entry_open(const struct trash *t)
{
	const char *name =
	    t->has_entry ? t->entry_name : repo_basename(t->w.admin);

	return openat(t->w.admins, name, FILE_DIR_FLAGS);
}

static bool is_ours(const char *reason)
{
	/* A creation mark left by a killed run is not a lock of the user. */
	return strncmp(reason, REASON, strlen(REASON)) == 0 ||
	       mark_is_text(reason);
}

/* Writes the lock, which is also the only record of HEAD's branch. On a full
 * disk its existence must be enough. */
static int write_lock(const struct trash *t, int dir, struct err *err)
{
	_free_ char *head = repo_line(dir, "HEAD"), *text = NULL;
	bool on = head && strncmp(head, "ref: ", 5) == 0;
	_close_ int fd = -1;

	text =
	    mem_printf(REASON "%s%s\n", on ? WAS_ON : "", on ? head + 5 : "");
	if (file_replace(dir, "locked", text, strlen(text), false, NULL) == 0)
		return 0;
	fd = openat(dir, "locked", O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
		    0600);
	return fd < 0 ? err_errno(err, "lock git's entry %s", t->w.admin) : 0;
}

int trash_entry_lock(const struct trash *t, struct err *err)
{
	_close_ int dir = t->has_entry ? -1 : trash_entry_open(t);
	_free_ char *reason = dir >= 0 ? repo_line(dir, "locked") : NULL;

	if (dir < 0)
		return 0;
	if (reason ? is_ours(reason) : faccessat(dir, "locked", F_OK, 0) < 0)
		return write_lock(t, dir, err);
	err_set(err, ERR_FAILED, "the worktree %s is locked%s%.200s", t->w.path,
		reason ? ": " : "", reason ? reason : "");
	return err_hint(err, "`git worktree unlock %s` allows it", t->w.path);
}

int trash_entry_unlock(const struct trash *t, struct err *err)
{
	_close_ int dir = trash_entry_open(t);

	if (dir < 0 || (unlinkat(dir, "locked", 0) < 0 && errno != ENOENT))
		return err_errno(err, "unlock git's entry %s", t->w.admin);
	return 0;
}

/* True if the .git file is a file: a harness may have replaced it. */
static bool is_git_file(int tree)
{
	struct stat st;

	return fstatat(tree, ".git", &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(st.st_mode) && st.st_nlink == 1;
}

/* Makes git's entry name the directory, and its .git file name the entry; in
 * the trash that file does not matter. */
static int point_at(const struct trash *t, int entry, const char *name,
		    const char *path, bool restores, struct err *err)
{
	_free_ char *there = mem_printf("%s/.git\n", path),
		    *back = mem_printf("gitdir: %s/worktrees/%s\n",
				       t->w.git_dir, name);
	_close_ int tree = open(path, FILE_DIR_FLAGS);

	if (replace_file(entry, "gitdir", there, err) < 0)
		return -1;
	if (tree >= 0 && is_git_file(tree) &&
	    replace_file(tree, ".git", back, restores ? err : NULL) < 0 &&
	    restores)
		return err_prefix(err, "in %s", path);
	return 0;
}

static bool head_of(const struct trash *t, const char *line, git_oid *oid)
{
	const char *ref = "ref: ";

	if (line && strncmp(line, ref, strlen(ref)) == 0)
		return git_reference_name_to_id(oid, t->repo.main,
						line + strlen(ref)) == 0;
	return line && strlen(line) == GIT_OID_HEXSZ &&
	       git_oid_fromstr(oid, line) == 0;
}

/* Detaches HEAD. HEAD stays on an unborn branch, and if a full disk prevents
 * recording its branch. */
static int detach(const struct trash *t, int entry, struct err *err)
{
	_free_ char *line = repo_line(entry, "HEAD"),
		    *lock = repo_line(entry, "locked"), *text = NULL;
	git_oid oid;

	if (!line || line[0] != 'r' || !lock || !strstr(lock, WAS_ON) ||
	    !head_of(t, line, &oid))
		return 0;
	text = mem_printf("%s\n", git_oid_tostr_s(&oid));
	return replace_file(entry, "HEAD", text, err);
}

int trash_entry_create(struct trash *t, struct err *err)
{
	const char *from = repo_basename(t->w.admin);
	_close_ int entry = -1;

	if (!t->has_entry &&
	    file_rename_new(t->w.admins, from, t->w.admins, t->entry_name) < 0)
		return err_errno(err, "rename git's entry %s", t->w.admin);
	t->has_entry = true;
	entry = trash_entry_open(t);
	if (entry < 0)
		return err_errno(err, "open git's entry %s", t->entry_name);
	if ((t->has_tree &&
	     point_at(t, entry, t->entry_name, t->path, false, err) < 0) ||
	    detach(t, entry, err) < 0)
		return err_prefix(err, "git's entry %s", t->w.admin);
	return 0;
}

static bool is_branch(const char *ref)
{
	return strncmp(ref, "refs/heads/", 11) == 0 &&
	       git_reference_is_valid_name(ref) == 1;
}

/* Returns why HEAD cannot be on it; NULL: it can. */
static char *not_free(const struct trash *t, const char *ref,
		      const git_oid *oid)
{
	const char *name = ref + strlen("refs/heads/");
	_git_reference_ git_reference *made = NULL;
	git_oid now;
	int e = git_reference_name_to_id(&now, t->repo.main, ref);

	if (e == GIT_ENOTFOUND)
		e = git_reference_create(&made, t->repo.main, ref, oid, 0,
					 "afw trash restore");
	else if (e == 0 && !git_oid_equal(&now, oid))
		return mem_printf("the branch %s has moved on", name);
	else if (e == 0 && branch_is_checked_out(t->repo.main, ref, NULL))
		return mem_printf("the branch %s is checked out elsewhere",
				  name);
	return e == 0 ? NULL : mem_printf("the branch %s cannot be made", name);
}

/* Moves HEAD back to the branch that the lock names. */
static int attach(const struct trash *t, int entry, char **why, struct err *err)
{
	_free_ char *line = repo_line(entry, "HEAD"),
		    *lock = repo_line(entry, "locked"), *text = NULL;
	const char *head = lock ? strstr(lock, WAS_ON) : NULL;
	git_oid oid;

	if (head)
		head += strlen(WAS_ON);
	if (!head || !is_branch(head) || !line || line[0] == 'r' ||
	    !head_of(t, line, &oid))
		return 0;
	*why = not_free(t, head, &oid);
	text = mem_printf("ref: %s\n", head);
	return *why ? 0 : replace_file(entry, "HEAD", text, err);
}

int trash_entry_restore(struct trash *t, char **why, struct err *err)
{
	const char *to = repo_basename(t->w.admin);
	_close_ int entry = -1;

	*why = NULL;
	if (t->has_entry &&
	    file_rename_new(t->w.admins, t->entry_name, t->w.admins, to) < 0)
		return err_errno(err, "restore git's entry %s", t->w.admin);
	t->has_entry = false;
	entry = trash_entry_open(t);
	if (entry < 0)
		return err_errno(err, "open %s", t->w.admin);
	if (point_at(t, entry, to, t->w.path, true, err) < 0 ||
	    attach(t, entry, why, err) < 0)
		return err_prefix(err, "git's entry %s", t->w.admin);
	return trash_entry_unlock(t, err);
}

bool trash_entry_head(const struct trash *t, git_oid *oid)
{
	_close_ int dir = trash_entry_open(t);
	_free_ char *line = dir >= 0 ? repo_line(dir, "HEAD") : NULL;

	return head_of(t, line, oid);
}

/* True if a directory of git's entry has at most the one file name, and the
 * list of checkpoints. */
static bool has_only(int entry, const char *dir, const char *name, int depth)
{
	_dir_ DIR *d = file_list(entry, dir);
	const char *at;
	bool only = depth < 5;

	if (!d)
		return errno == ENOENT;
	while (only && (at = file_list_next(d)))
		only = at[0] == '.' || strcmp(at, name) == 0 ||
		       strcmp(at, CHECKPOINT_LOG_NAME) == 0 ||
		       has_only(dirfd(d), at, "", depth + 1);
	return only;
}

/* Says what another file of git's entry means. */
static const char *name_reason(const char *name)
{
	size_t len = strlen(name);

	return strncmp(name, "sharedindex.", 12) == 0 ? "it has a split index"
	       : len > 5 && strcmp(name + len - 5, ".lock") == 0
		   ? "it has a lock of git"
		   : "a git operation is unfinished";
}

const char *trash_entry_work(int entry)
{
	static const char *const known[] = {
	    "HEAD",	  "ORIG_HEAD", "FETCH_HEAD",	  "COMMIT_EDITMSG",
	    "commondir",  "index",     "gitdir",	  "locked",
	    COPIED_FILE,  SCAN_FILE,   "config.worktree", "modules",
	    "AUTO_MERGE", /* a finished rebase leaves it */
	};
	_dir_ DIR *d = file_list(entry, ".");
	const char *name;

	if (!d)
		return "git's entry cannot be read";
	while ((name = file_list_next(d))) {
		bool ok = name[0] == '.' ||
			  (strcmp(name, "logs") == 0 &&
			   has_only(entry, "logs", "HEAD", 0)) ||
			  (strcmp(name, "info") == 0 &&
			   has_only(entry, "info", "sparse-checkout", 0)) ||
			  (strcmp(name, "refs") == 0 &&
			   has_only(entry, "refs", "", 0));

		for (size_t i = 0; !ok && i < sizeof known / sizeof *known; i++)
			ok = strcmp(name, known[i]) == 0;
		if (!ok)
			return name_reason(name);
	}
	return NULL;
}
