/* merge_stage.c - files made beside a worktree and renamed into it. */
#include "worktrees/merge_stage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/delete_tree.h"
#include "base/file.h"
#include "worktrees/repo.h"

#define DIR_NAME "afw-merge"

void stage_add(struct stage *s, const char *path, const struct stat *seen,
	       bool deleted)
{
	s->v = mem_grow(s->v, s->n, sizeof *s->v);
	s->v[s->n++] = (struct staged){
	    .path = mem_strdup(path), .seen = *seen, .deleted = deleted};
}

/* -- beside it ---------------------------------------------------------------
 */

static int open_dir(struct stage *s, git_repository *git, struct err *err)
{
	const char *admin = git_repository_path(git);
	struct stat here, there;

	s->admin = open(admin, FILE_DIR_FLAGS);
	if (s->admin < 0 || fstat(s->admin, &here) < 0 ||
	    stat(s->worktree, &there) < 0)
		return err_errno(err, "open %s", admin);
	if (here.st_dev != there.st_dev) {
		err_set(err, ERR_REFUSED,
			"%s and git's directory for it lie on two disks",
			s->worktree);
		return err_hint(err, "git merge, there");
	}
	if (delete_tree(s->admin, DIR_NAME, err) < 0)
		return -1;
	if (mkdirat(s->admin, DIR_NAME, 0700) < 0)
		return err_errno(err, "make %s%s", admin, DIR_NAME);
	return 0;
}

int stage_make(struct stage *s, git_repository *git, git_tree *tree,
	       struct err *err)
{
	git_checkout_options opt;
	struct strv paths = {0};
	char *dir = mem_printf("%s%s", git_repository_path(git), DIR_NAME);
	int rc = open_dir(s, git, err);

	for (size_t i = 0; i < s->n; i++)
		if (!s->v[i].deleted)
			strv_add(&paths, s->v[i].path);
	git_checkout_options_init(&opt, GIT_CHECKOUT_OPTIONS_VERSION);
	opt.checkout_strategy = GIT_CHECKOUT_FORCE |
				GIT_CHECKOUT_DONT_UPDATE_INDEX |
				GIT_CHECKOUT_DISABLE_PATHSPEC_MATCH;
	opt.target_directory = dir;
	opt.paths.strings = paths.v;
	opt.paths.count = paths.n;
	if (rc == 0 && paths.n &&
	    git_checkout_tree(git, (git_object *)tree, &opt) < 0)
		rc = repo_err(err, ERR_FAILED, "make the files of %s",
			      s->worktree);
	strv_finish(&paths);
	free(dir);
	return rc;
}

void stage_finish(struct stage *s)
{
	if (s->admin >= 0)
		delete_tree(s->admin, DIR_NAME, NULL);
	file_close(s->admin);
	for (size_t i = 0; i < s->n; i++)
		free(s->v[i].path);
	free(s->v);
	*s = (struct stage){.admin = -1};
}

/* -- in place ----------------------------------------------------------------
 */

static bool is_as_seen(int dir, const char *name, const struct stat *seen)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    S_ISDIR(st.st_mode))
		return seen->st_ino == 0;
	return st.st_ino == seen->st_ino && st.st_size == seen->st_size &&
	       st.st_ctim.tv_sec == seen->st_ctim.tv_sec &&
	       st.st_ctim.tv_nsec == seen->st_ctim.tv_nsec;
}

/* The directories that are empty without it. */
static void remove_parents(const struct stage *s, const char *path)
{
	char *parent = mem_strdup(path), *slash;
	const char *last;
	int at, rc = 0;

	while (rc == 0 && (slash = strrchr(parent, '/'))) {
		*slash = '\0';
		at = file_open_parent(AT_FDCWD, s->worktree, parent, 0, &last);
		rc = at < 0 ? -1 : unlinkat(at, last, AT_REMOVEDIR);
		file_close(at);
	}
	free(parent);
}

static int place(const struct stage *s, const struct staged *f, int stage,
		 struct err *err)
{
	const char *last, *from_last;
	int at = file_open_parent(AT_FDCWD, s->worktree, f->path,
				  f->deleted ? 0 : 0777, &last);
	int from = -1, rc = 0;

	if (at < 0 || !is_as_seen(at, last, &f->seen)) {
		rc =
		    err_set(err, ERR_CONFLICT, "%s in %s was changed meanwhile",
			    f->path, s->worktree);
	} else if (f->deleted) {
		if (unlinkat(at, last, 0) < 0)
			rc = err_errno(err, "delete %s", f->path);
	} else {
		from = file_open_parent(stage, ".", f->path, 0, &from_last);
		/* one that is empty by now */
		if (f->seen.st_ino == 0)
			unlinkat(at, last, AT_REMOVEDIR);
		if (from < 0 || renameat(from, from_last, at, last) < 0)
			rc = err_errno(err, "write %s", f->path);
	}
	file_close(from);
	file_close(at);
	if (rc == 0 && f->deleted)
		remove_parents(s, f->path);
	return rc;
}

int stage_place(struct stage *s, struct err *err)
{
	int stage = openat(s->admin, DIR_NAME, FILE_DIR_FLAGS), rc = 0;

	if (stage < 0)
		return err_errno(err, "open %s", DIR_NAME);
	/* Deleted first: a directory may take the place of a file. */
	for (size_t i = 0; rc == 0 && i < s->n; i++)
		if (s->v[i].deleted)
			rc = place(s, &s->v[i], stage, err);
	for (size_t i = 0; rc == 0 && i < s->n; i++)
		if (!s->v[i].deleted)
			rc = place(s, &s->v[i], stage, err);
	file_close(stage);
	return rc;
}
