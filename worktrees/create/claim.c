/*
 * claim.c - makes the directories of a new worktree: git's entry, and the
 * worktree itself. mkdir decides which of two runs gets a name.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/writers.h"
#include "worktrees/create/create.h"

#define OTHER_RUN_MS                                                           \
	2000 /* wait for another run that makes or removes the same */
#define HINT_ELSEWHERE                                                         \
	"`afw config set worktree_location ~/worktrees` keeps worktrees in a " \
	"directory of your own"

int create_err_exists(struct err *err, const char *what, const char *hint)
{
	err_set(err, ERR_CONFLICT, "%s", what);
	return err_hint(err, "%s", hint);
}

/* Users who may write to it could replace a worktree. */
static int check_owner(int fd, const char *dir, bool made, struct err *err)
{
	const char *writers;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_errno(err, "open directory %s", dir);
	if (st.st_uid != geteuid()) {
		err_set(err, ERR_FAILED, "%s belongs to another user (uid %u)",
			dir, st.st_uid);
		return err_hint(err, HINT_ELSEWHERE);
	}
	/* It was made with mode 0700 just now. */
	if (made && st.st_mode & (S_IWGRP | S_IWOTH)) {
		err_set(err, ERR_FAILED,
			"the file system of %s stores no permissions, so that "
			"everyone may write to the worktrees",
			dir);
		return err_hint(err, HINT_ELSEWHERE);
	}
	writers = writers_beside_owner(fd, &st);
	if (writers) {
		err_set(err, ERR_FAILED,
			"%s has your worktrees, and %s may write to it", dir,
			writers);
		return err_hint(err, "`chmod go-w %s`", dir);
	}
	return 0;
}

/* Returns a directory for worktrees, open; -1 with err, and with errno ENOENT
 * if there is none. made: just now. */
static int open_dir(const char *dir, bool made, struct err *err)
{
	int fd = open(dir, FILE_DIR_FLAGS);
	bool other;

	if (fd < 0 && (errno == ELOOP || errno == ENOTDIR)) {
		err_set(err, ERR_FAILED,
			"%s is not a directory but a link or a file", dir);
		err_hint(err, "afw keeps its worktrees there; move it away");
	} else if (fd < 0) {
		other = errno == EACCES; /* another user made it, mode 0700 */
		err_errno(err, "open directory %s", dir);
		if (other) {
			err_hint(err, HINT_ELSEWHERE);
			errno = EACCES;
		}
	} else if (check_owner(fd, dir, made, err) < 0) {
		file_reset(&fd);
		errno = EACCES;
	}
	return fd;
}

/* Makes a directory for worktrees, if needed, and opens it. */
static int open_made(const char *dir, bool *made, struct err *err)
{
	*made = mkdir(dir, 0700) == 0;
	if (!*made && errno != EEXIST) {
		err_errno(err, "make directory %s", dir);
		return err_hint(err,
				"worktrees are made beside the repository, "
				"or in worktree_location: you must be "
				"able to write there");
	}
	return open_dir(dir, *made, err);
}

/* Makes the directory for all worktrees of the repository, or of the session,
 * if needed. */
static int make_dir(struct create *c, struct err *err)
{
	const char *dir = c->place.dir;
	_free_ char *outer = repo_dirname(dir);
	_close_ int fd = -1;
	bool made;

	if (c->req->together && (fd = open_made(outer, &made, err)) < 0)
		return -1;
	c->dir = open_made(dir, &c->made_dir, err);
	if (c->dir < 0)
		return -1;
	return place_has_repository_around(dir) && place_ignore(c->dir, err) < 0
		   ? err_prefix(err, "%s", dir)
		   : 0;
}

/* Makes <git_dir>/worktrees, which git, too, makes and removes as needed: if
 * that removes it right after it was made, it is made once more. */
static int make_admins(struct create *c, struct err *err)
{
	_free_ char *dir = file_join(c->repo.git_dir, "worktrees");

	for (int tries = 0; tries < 10; tries++) {
		if (mkdir(dir, 0777) < 0 && errno != EEXIST)
			return err_errno(err, "make directory %s", dir);
		c->admins = open(dir, FILE_DIR_FLAGS);
		if (c->admins >= 0 || errno != ENOENT)
			break;
	}
	return c->admins < 0 ? err_errno(err, "open directory %s", dir) : 0;
}

/*
 * Makes the worktree's directory in the directory for all of them. Another run
 * may have removed that one because it was empty: then it tries again. Returns
 * 1 if the worktree's directory exists.
 */
static int claim_tree(struct create *c, struct err *err)
{
	struct stat st;

	/* Never more permissive than the repository. */
	if (stat(c->repo.path, &st) < 0)
		return err_errno(err, "read %s", c->repo.path);
	for (int i = 0; i < 10; i++) {
		if (make_dir(c, err) < 0)
			return -1;
		if (mkdirat(c->dir, c->place.base,
			    (st.st_mode & 0777) | 0700) == 0)
			return 0;
		if (errno != ENOENT)
			break;
		file_reset(&c->dir);
	}
	if (errno == EEXIST)
		return 1;
	return err_errno(err, "make directory %s", c->place.base);
}

/* As claim_tree(), for git's entry with its mark. */
static enum mark_result claim_entry(struct create *c, struct err *err)
{
	enum mark_result r = MARK_AGAIN;

	for (int i = 0; i < 10 && r == MARK_AGAIN; i++) {
		file_reset(&c->admins);
		if (make_admins(c, err) < 0)
			return MARK_FAILED;
		r = mark_begin(&c->mark, c->admins, c->place.id, err);
	}
	return r;
}

static int refuse_entry(const struct create *c, struct err *err)
{
	char what[512];

	snprintf(what, sizeof what,
		 "git has a worktree of this name already (%s)", c->admin);
	return create_err_exists(
	    err, what,
	    "take another name; if its directory is gone for "
	    "good: `git worktree prune`");
}

static int refuse_tree(const struct create *c, struct err *err)
{
	char what[512];

	snprintf(what, sizeof what, "the directory %s exists already",
		 c->place.path);
	return create_err_exists(err, what, "take another name, or remove it");
}

int create_check(const struct create *c, struct err *err)
{
	struct stat st;
	_close_ int dir = open_dir(c->place.dir, false, err);

	if (dir < 0 && errno != ENOENT)
		return -1;
	err_clear(err);
	if (lstat(c->admin, &st) == 0)
		return refuse_entry(c, err);
	return lstat(c->place.path, &st) == 0 ? refuse_tree(c, err) : 0;
}

int create_claim_entry(struct create *c, struct err *err)
{
	enum mark_result r = claim_entry(c, err);

	/* A killed run may have left it; a run that is stopped now removes
	 * it. */
	if (r == MARK_TAKEN &&
	    mark_undo_stale(c->repo.main, c->admins, c->place.id, OTHER_RUN_MS,
			    err) < 0)
		return err_prefix(err, "remove what a killed run left");
	if (r == MARK_TAKEN)
		r = claim_entry(c, err);
	if (r == MARK_TAKEN)
		return refuse_entry(c, err);
	if (r != MARK_DONE)
		return -1;
	mark_undo_all(c->repo.main, c->admins);
	c->entry = openat(c->admins, c->place.id, FILE_DIR_FLAGS);
	if (c->entry < 0)
		return err_errno(err, "make %s", c->admin);
	return 0;
}

/* Returns 1 if a spare has become the directory. */
static int claim_spare(struct create *c, struct err *err)
{
	int r = 0;

	if (c->made || c->from || c->req->sparse->n || c->req->no_sparse)
		return 0;
	c->dir = open(c->place.dir, FILE_DIR_FLAGS);
	if (c->dir >= 0 && check_owner(c->dir, c->place.dir, false, err) == 0)
		r = spare_claim(c, err);
	if (r == 0) {
		err_clear(err); /* what is wrong is found again */
		file_reset(&c->dir);
	}
	return r;
}

int create_claim_tree(struct create *c, struct err *err)
{
	int r = claim_spare(c, err);

	if (r == 0)
		r = claim_tree(c, err);
	else if (r == 1)
		return 0;
	spare_sweep(c->admins, true, NULL);
	if (r == 1) {
		c->mark.path = NULL;
		return refuse_tree(c, err);
	}
	if (r < 0)
		return -1;
	c->tree = openat(c->dir, c->place.base, FILE_DIR_FLAGS);
	if (c->tree < 0 || fstat(c->tree, &c->st) < 0)
		return err_errno(err, "open directory %s", c->place.path);
	c->mark.has_tree = true;
	c->mark.ino = c->st.st_ino;
	return mark_write(&c->mark, err);
}
