/*
 * trash_entry.c - git's entry for a worktree that is in the trash.
 *
 * A file is changed by a new one that is renamed over it. On a full disk it is
 * written in place instead, in the block that it has, so that rm works there.
 * Every step can be repeated: a run that was killed between two is finished by
 * the next.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "worktrees/create/making.h"
#include "worktrees/git/merged.h"
#include "worktrees/trash/trash.h"

#define REASON	 "in afw's trash (afw trash ls)"
#define WAS_ON	 "; HEAD was on "
#define FILE_MAX ((size_t)8192)

/* Filled up with line feeds, which git ignores, to the length that it had. */
static int put_in_place(int dir, const char *name, const char *text, off_t size,
			struct err *err)
{
	int fd =
	    openat(dir, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct buf b = {0};
	int r = 0;

	buf_adds(&b, text);
	while (b.len < (size_t)size)
		buf_addc(&b, '\n');
	if (fd < 0 || pwrite(fd, b.data, b.len, 0) != (ssize_t)b.len ||
	    ftruncate(fd, (off_t)strlen(text)) < 0)
		r = err_errno(err, "write %s", name);
	file_close(fd);
	buf_finish(&b);
	return r;
}

/* Refuses what is not a file with one name: afw must not change that. */
static int put(int dir, const char *name, const char *text, struct err *err)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return err_errno(err, "open %s", name);
	if (!S_ISREG(st.st_mode) || st.st_nlink != 1 ||
	    st.st_size > (off_t)FILE_MAX)
		return err_set(err, ERR_FAILED, "%s is not as git has made it",
			       name);
	if (file_replace(dir, name, text, strlen(text), false, err) == 0) {
		fchmodat(dir, name, st.st_mode & 0777, 0);
		return 0;
	}
	return errno == ENOSPC || errno == EDQUOT
		   ? put_in_place(dir, name, text, st.st_size, err)
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
	/* A mark that creation was killed before taking away is no lock. */
	return strncmp(reason, REASON, strlen(REASON)) == 0 ||
	       making_is_mark(reason);
}

/* What the lock says is all that is written down: where HEAD was. On a full
 * disk that it is there must do. */
static int write_lock(const struct trash *t, int dir, struct err *err)
{
	char *head = repo_line(dir, "HEAD"), *text;
	bool on = head && strncmp(head, "ref: ", 5) == 0;
	int fd, r = 0;

	text =
	    mem_printf(REASON "%s%s\n", on ? WAS_ON : "", on ? head + 5 : "");
	if (file_replace(dir, "locked", text, strlen(text), false, NULL) < 0) {
		fd = openat(dir, "locked",
			    O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0)
			r = err_errno(err, "lock git's entry %s", t->w.admin);
		else
			close(fd);
	}
	free(text);
	free(head);
	return r;
}

int trash_entry_lock(const struct trash *t, struct err *err)
{
	int dir = t->has_entry ? -1 : trash_entry_open(t), r = 0;
	char *reason = dir >= 0 ? repo_line(dir, "locked") : NULL;

	if (dir < 0)
		return 0;
	if (reason ? !is_ours(reason)
		   : faccessat(dir, "locked", F_OK, 0) == 0) {
		err_set(err, ERR_FAILED, "the worktree %s is locked%s%.200s",
			t->w.path, reason ? ": " : "", reason ? reason : "");
		err_hint(err, "to allow it: git worktree unlock %s", t->w.path);
		r = -1;
	} else {
		r = write_lock(t, dir, err);
	}
	close(dir);
	free(reason);
	return r;
}

int trash_entry_unlock(const struct trash *t, struct err *err)
{
	int dir = trash_entry_open(t), r = 0;

	if (dir < 0 || (unlinkat(dir, "locked", 0) < 0 && errno != ENOENT))
		r = err_errno(err, "unlock git's entry %s", t->w.admin);
	file_close(dir);
	return r;
}

/* Whether a harness has put something else in the place of the .git file. */
static bool is_git_file(int tree)
{
	struct stat st;

	return fstatat(tree, ".git", &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(st.st_mode) && st.st_nlink == 1;
}

/* git's entry names the directory, and its .git file names the entry: in the
 * trash that file does not matter. */
static int point_at(const struct trash *t, int entry, const char *name,
		    const char *path, bool restores, struct err *err)
{
	char *there = mem_printf("%s/.git\n", path);
	char *back =
	    mem_printf("gitdir: %s/worktrees/%s\n", t->w.git_dir, name);
	int tree = open(path, FILE_DIR_FLAGS),
	    r = put(entry, "gitdir", there, err);

	if (r == 0 && tree >= 0 && is_git_file(tree) &&
	    put(tree, ".git", back, restores ? err : NULL) < 0 && restores)
		r = err_prefix(err, "in %s", path);
	file_close(tree);
	free(there);
	free(back);
	return r;
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

/* On an unborn branch it stays, and where nothing says how it comes back: on
 * a full disk. */
static int detach(const struct trash *t, int entry, struct err *err)
{
	char *line = repo_line(entry, "HEAD"),
	     *lock = repo_line(entry, "locked");
	char hex[GIT_OID_HEXSZ + 2];
	git_oid oid;
	int r = 0;

	if (line && line[0] == 'r' && lock && strstr(lock, WAS_ON) &&
	    head_of(t, line, &oid)) {
		git_oid_tostr(hex, sizeof hex, &oid);
		hex[GIT_OID_HEXSZ] = '\n';
		hex[GIT_OID_HEXSZ + 1] = '\0';
		r = put(entry, "HEAD", hex, err);
	}
	free(lock);
	free(line);
	return r;
}

int trash_entry_put(struct trash *t, struct err *err)
{
	const char *from = repo_basename(t->w.admin);
	int entry, r = 0;

	if (!t->has_entry &&
	    file_rename_new(t->w.admins, from, t->w.admins, t->entry_name) < 0)
		return err_errno(err, "rename git's entry %s", t->w.admin);
	t->has_entry = true;
	entry = trash_entry_open(t);
	if (entry < 0)
		return err_errno(err, "open git's entry %s", t->entry_name);
	if (t->has_tree)
		r = point_at(t, entry, t->entry_name, t->path, false, err);
	if (r == 0)
		r = detach(t, entry, err);
	if (r < 0)
		err_prefix(err, "git's entry %s", t->w.admin);
	close(entry);
	return r;
}

static bool is_branch(const char *ref)
{
	return strncmp(ref, "refs/heads/", 11) == 0 &&
	       git_reference_is_valid_name(ref) == 1;
}

/* Why HEAD cannot be on it; NULL: it can. */
static char *not_free(const struct trash *t, const char *ref,
		      const git_oid *oid)
{
	const char *name = ref + strlen("refs/heads/");
	git_reference *made = NULL;
	git_oid now;
	int e = git_reference_name_to_id(&now, t->repo.main, ref);

	if (e == GIT_ENOTFOUND)
		e = git_reference_create(&made, t->repo.main, ref, oid, 0,
					 "afw trash restore");
	else if (e == 0 && !git_oid_equal(&now, oid))
		return mem_printf("the branch %s has moved on", name);
	else if (e == 0 && merged_checked_out(t->repo.main, ref, NULL))
		return mem_printf("the branch %s is checked out elsewhere",
				  name);
	git_reference_free(made);
	return e == 0 ? NULL : mem_printf("the branch %s cannot be made", name);
}

/* Back to where the lock says that it was. */
static int attach(const struct trash *t, int entry, char **why, struct err *err)
{
	char *line = repo_line(entry, "HEAD"),
	     *lock = repo_line(entry, "locked");
	char *head = lock ? strstr(lock, WAS_ON) : NULL, *text;
	git_oid oid;
	int r = 0;

	if (head)
		head += strlen(WAS_ON);
	if (head && is_branch(head) && line && line[0] != 'r' &&
	    head_of(t, line, &oid)) {
		*why = not_free(t, head, &oid);
		text = mem_printf("ref: %s\n", head);
		if (!*why)
			r = put(entry, "HEAD", text, err);
		free(text);
	}
	free(lock);
	free(line);
	return r;
}

int trash_entry_take_back(struct trash *t, char **why, struct err *err)
{
	const char *to = repo_basename(t->w.admin);
	int entry, r;

	*why = NULL;
	if (t->has_entry &&
	    file_rename_new(t->w.admins, t->entry_name, t->w.admins, to) < 0)
		return err_errno(err, "put git's entry %s back", t->w.admin);
	t->has_entry = false;
	entry = trash_entry_open(t);
	if (entry < 0)
		return err_errno(err, "open %s", t->w.admin);
	r = point_at(t, entry, to, t->w.path, true, err);
	if (r == 0)
		r = attach(t, entry, why, err);
	close(entry);
	if (r < 0)
		return err_prefix(err, "git's entry %s", t->w.admin);
	return trash_entry_unlock(t, err);
}

bool trash_entry_head(const struct trash *t, git_oid *oid)
{
	int dir = trash_entry_open(t);
	char *line = dir >= 0 ? repo_line(dir, "HEAD") : NULL;
	bool has = head_of(t, line, oid);

	file_close(dir);
	free(line);
	return has;
}
