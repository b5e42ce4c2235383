/*
 * repo_worktree.c - opens a worktree that afw made, trusting no file in it.
 *
 * A harness can write its worktree, the .git file included, and (in the tier
 * `none`) git's own files. So it is found by the repository and the id which
 * afw recorded, the directory is compared with the inode recorded at creation,
 * and the path in git's entry is only compared, never followed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/made_dir.h"
#include "worktrees/git/place.h"
#include "worktrees/git/repo.h"

static int bad_request(struct err *err, const char *what)
{
	return err_set(err, ERR_USAGE, "bad request: %s", what);
}

/* Checks that the directory is the recorded one, not a symlink. */
static int check_dir(struct repo_worktree *w, const struct repo_place *place,
		     struct err *err)
{
	struct stat st;
	int fd;

	if (!place->adopted)
		w->parent = made_dir_parent(w->path, err);
	if (!place->adopted && w->parent < 0) {
		w->missing = errno == ENOENT;
		return w->missing ? 0 : -1;
	}
	fd = made_dir_open(w->parent, w->path, place->ino, err);
	if (fd < 0) {
		w->missing = errno == ENOENT;
		return w->missing ? 0 : -1;
	}
	fstat(fd, &st);
	close(fd);
	w->dev = st.st_dev;
	w->ino = st.st_ino;
	return 0;
}

/* Stores the path in git's entry in elsewhere, if it is not our directory. The
 * entry may be missing. */
static int check_admin(struct repo_worktree *w, const char *id, struct err *err)
{
	_free_ char *dir = file_join(w->git_dir, "worktrees"),
		    *want = file_join(w->path, ".git"), *line = NULL;
	_close_ int fd = -1;

	w->admins = open(dir, FILE_DIR_FLAGS);
	if (w->admins >= 0)
		fd = openat(w->admins, id, FILE_DIR_FLAGS);
	if (fd < 0) {
		w->admin_missing = errno == ENOENT;
		return w->admin_missing ? 0
					: err_errno(err, "open %s", w->admin);
	}
	/* A removal that was killed has deleted it already. */
	line = repo_line(fd, "gitdir");
	if (!line && errno != ENOENT)
		return err_errno(err, "git's entry %s: read gitdir", w->admin);
	if (!line || strcmp(line, want) != 0)
		w->elsewhere = mem_strdup(line ? line : "nowhere");
	return 0;
}

int repo_worktree_find(struct repo_worktree *w, const struct repo *r,
		       const struct repo_place *place, struct err *err)
{
	const char *path = place->worktree, *id = place->worktree_id;

	bool is_main = place->adopted && strcmp(id, ".") == 0;

	*w = (struct repo_worktree)REPO_WORKTREE_NONE;
	if (!is_main && !repo_id_valid(id))
		return bad_request(err, "worktree_id is not one of git's");
	w->path = mem_strdup(path);
	w->parent_path = repo_dirname(path);
	w->base = repo_basename(w->path);
	if (strstr(path, "/../") || !place_is_name(w->base))
		return bad_request(err,
				   "worktree is not the path of a worktree");
	w->private = mem_strdup(place->private);
	w->git_dir = mem_strdup(r->git_dir);
	w->admin = is_main ? mem_strdup(r->git_dir)
			   : mem_printf("%s/worktrees/%s", r->git_dir, id);
	/* What is in afw's directory is afw's, whatever the caller says. */
	if (place->adopted && place_is(w->parent_path))
		return bad_request(err, "afw made that worktree");
	if (is_main && strcmp(r->path, path) != 0)
		return err_set(err, ERR_FAILED,
			       "%s is not the main worktree of %s", path,
			       r->git_dir);
	if (!place->adopted && !place_is(w->parent_path))
		return err_set(err, ERR_FAILED,
			       "%s is not where afw puts worktrees (a "
			       "directory " PLACE_DIR ")",
			       w->path);
	if (check_dir(w, place, err) < 0)
		return -1;
	return is_main ? 0 : check_admin(w, id, err);
}

int repo_worktree_elsewhere(const struct repo_worktree *w, struct err *err)
{
	err_set(err, ERR_FAILED, "git's entry %s points elsewhere (%s)",
		w->admin, w->elsewhere);
	return err_hint(err, "if %s is the worktree: `git worktree repair %s`",
			w->path, w->path);
}

static int open_git(struct repo_worktree *w, struct err *err)
{
	if (w->elsewhere)
		return repo_worktree_elsewhere(w, err);
	if (w->missing) {
		err_set(err, ERR_FAILED, "the worktree %s is gone", w->path);
		return err_hint(err, REPO_WORKTREE_GONE);
	}
	if (w->admin_missing)
		return err_set(err, ERR_FAILED,
			       "git has no entry %s for the worktree any more",
			       w->admin);
	if (repo_open_git(&w->git, w->admin) < 0)
		return repo_err(err, ERR_FAILED, "open %s", w->admin);
	/* not where git's files say it is */
	if (repo_set_workdir(w->git, w->path) < 0)
		return repo_err(err, ERR_FAILED, "open %s", w->path);
	return 0;
}

int repo_worktree_open(struct repo_worktree *w, const struct repo_place *place,
		       struct err *err)
{
	_repo_ struct repo r = {0};

	*w = (struct repo_worktree)REPO_WORKTREE_NONE;
	if (repo_open(&r, place->repository, err) < 0 ||
	    repo_worktree_find(w, &r, place, err) < 0)
		return -1;
	return open_git(w, err);
}

void repo_worktree_finish(struct repo_worktree *w)
{
	if (!w)
		return;
	git_repository_free(w->git);
	free(w->private);
	free(w->git_dir);
	free(w->admin);
	free(w->elsewhere);
	free(w->path);
	free(w->parent_path);
	file_close(w->parent);
	file_close(w->admins);
	*w = (struct repo_worktree)REPO_WORKTREE_NONE;
}
