/* index_lock.c - changes git's index under git's own lock. */
#include "worktrees/git/index_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <git2/sys/repository.h>

#include "base/cleanup.h"
#include "worktrees/git/repo.h"
#include "worktrees/git/sparse_index.h"

#define INDEX_MAX ((size_t)1 << 30)

static int open_lock(const char *path, struct err *err)
{
	int fd = open(
	    path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);

	if (fd >= 0)
		return fd;
	if (errno != EEXIST)
		return err_errno(err, "lock the index, %s", path);
	err_set(err, ERR_CONFLICT, "another git is running there");
	return err_hint(err, "if not, remove the stale lock: `rm '%s'`", path);
}

static int copy(const char *from, int fd, const char *path, struct err *err)
{
	_buf_ struct buf text = {0};
	struct stat st;

	if (file_read(AT_FDCWD, from, INDEX_MAX, &text, err) < 0)
		return -1;
	/* git uses its time to decide which entries it must check again. */
	if (file_write_all(fd, text.data, text.len) < 0 ||
	    stat(from, &st) < 0 || fchmod(fd, st.st_mode & 07777) < 0 ||
	    futimens(fd, (struct timespec[]){st.st_mtim, st.st_mtim}) < 0)
		return err_errno(err, "write %s", path);
	return 0;
}

int index_lock_acquire(struct index_lock *l, const char *index,
		       const char *lock, const char *from, struct err *err)
{
	_free_ char *path =
	    lock ? mem_strdup(lock) : mem_printf("%s.lock", index);
	_close_ int fd = -1;

	l->index = mem_strdup(index);
	if (lock)
		unlink(lock);
	fd = open_lock(path, err);
	if (fd < 0)
		return -1;
	l->lock = TAKE_PTR(path);
	return copy(from ? from : index, fd, l->lock, err);
}

int index_lock_unreadable(git_repository *git, struct err *err)
{
	const git_error *e = git_error_last();
	const char *said = e && e->message ? e->message : "";
	const char *dir = git_repository_workdir(git);
	_free_ char *path =
	    mem_strndup(dir ? dir : "/", dir ? strlen(dir) - 1 : 1);
	bool sparse = strstr(said, "'sdir'"), split = strstr(said, "'link'");

	repo_err(err, ERR_FAILED, "read the index of %s", path);
	if (sparse)
		err_hint(
		    err,
		    "`git -C %s sparse-checkout reapply --no-sparse-index`",
		    path);
	else if (split && repo_config_bool(git, "core.splitindex", false))
		err_hint(err,
			 "`git -C %s config core.splitIndex false && git -C %s "
			 "update-index --no-split-index`",
			 path, path);
	else if (split)
		err_hint(err, "`git -C %s update-index --no-split-index`",
			 path);
	else if (strstr(said, "checksum"))
		err_hint(err,
			 "if index.skipHash made it: `git -C %s config "
			 "index.skipHash false && git -C %s update-index "
			 "--force-write-index`",
			 path, path);
	return -1;
}

int index_lock_heed_case(git_index *index)
{
	int caps = git_index_caps(index) & ~GIT_INDEX_CAPABILITY_IGNORE_CASE;

	return git_index_set_caps(index, caps);
}

int index_lock_share(git_index *index, git_repository *git)
{
	if (git_repository_set_index(git, index) < 0 ||
	    git_index_set_caps(index, GIT_INDEX_CAPABILITY_FROM_OWNER) < 0)
		return -1;
	return index_lock_heed_case(index);
}

int index_lock_open(const char *file, bool own, git_repository *git,
		    git_index **out, struct err *err)
{
	if ((own ? sparse_index_replace(out, file, git)
		 : sparse_index_open(out, file, git)) < 0 ||
	    index_lock_share(*out, git) < 0)
		return index_lock_unreadable(git, err);
	return 0;
}

int index_lock_end(struct index_lock *l, git_index *index, struct err *err)
{
	struct stat st;

	if (stat(l->lock, &st) < 0 || git_index_write(index) < 0 ||
	    chmod(l->lock, st.st_mode & 07777) < 0)
		return repo_err(err, ERR_FAILED, "write the index %s",
				l->index);
	return index_lock_revert(l, err);
}

int index_lock_revert(struct index_lock *l, struct err *err)
{
	if (rename(l->lock, l->index) < 0)
		return err_errno(err, "write the index %s", l->index);
	free(l->lock);
	l->lock = NULL;
	return 0;
}

void index_lock_finish(struct index_lock *l)
{
	if (l->lock)
		unlink(l->lock);
	free(l->lock);
	free(l->index);
	*l = (struct index_lock){0};
}
