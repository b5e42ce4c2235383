/*
 * private_commit.c - makes a commit of the user in a private git directory. The
 * agent can change the directory: no link in it is followed, and what is read
 * there is only compared.
 */
#include "worktrees/private/private_commit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "worktrees/git/repo.h"
#include "worktrees/private/private_ref.h"

#define INDEX_MAX ((size_t)256 * 1024 * 1024)

static bool is_there(const char *dir, const char *name)
{
	const char *last;
	_close_ int at = file_open_parent(AT_FDCWD, dir, name, 0, &last);
	struct stat st;

	return at >= 0 && fstatat(at, last, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

bool private_commit_unfinished(const char *dir)
{
	static const char *const under_way[] = {
	    "MERGE_HEAD",   "CHERRY_PICK_HEAD", "REVERT_HEAD",
	    "rebase-merge", "rebase-apply",	"BISECT_LOG"};
	bool is = false;

	for (size_t i = 0; !is && i < sizeof under_way / sizeof under_way[0];
	     i++)
		is = is_there(dir, under_way[i]);
	return is;
}

static int check_state(const struct private_commit *p, const char *branch,
		       struct err *err)
{
	_free_ char *head = file_join(p->dir, "HEAD"),
		    *line = repo_line(AT_FDCWD, head);

	if (!line || strncmp(line, "ref: ", 5) != 0 ||
	    strcmp(line + 5, p->ref) != 0)
		return err_set(err, ERR_CONFLICT,
			       "in its sandbox it is not on its branch %s",
			       branch);
	if (private_commit_unfinished(p->dir))
		return err_set(err, ERR_CONFLICT,
			       "a merge, rebase or the like is unfinished in "
			       "its sandbox");
	return 0;
}

/* Makes NAME.lock below the directory; fails if it exists. */
static int lock(const struct private_commit *p, const char *name,
		struct err *err)
{
	_free_ char *path = mem_printf("%s.lock", name);
	const char *last;
	_close_ int at = file_open_parent(AT_FDCWD, p->dir, path, 0700, &last);
	int fd =
	    at < 0
		? -1
		: openat(at, last,
			 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			 0644);

	if (fd >= 0)
		return fd;
	if (errno != EEXIST)
		return err_errno(err, "lock %s in %s", name, p->dir);
	err_set(err, ERR_CONFLICT, "a git is running in its sandbox (%s)",
		path);
	return err_hint(err, "if not, remove the stale lock: `rm '%s/%s'`",
			p->dir, path);
}

int private_commit_begin(struct private_commit *p, const char *dir,
			 const char *branch, const git_oid *tip,
			 struct err *err)
{
	git_oid now;

	*p = (struct private_commit){.dir = dir, .index = -1, .head = -1};
	p->ref = mem_printf("refs/heads/%s", branch);
	p->index = lock(p, "index", err);
	if (p->index < 0)
		return -1;
	p->head = lock(p, p->ref, err);
	if (p->head < 0 || check_state(p, branch, err) < 0)
		return -1;
	if (private_ref_find(dir, p->ref, &now, err) == 1 &&
	    git_oid_equal(&now, tip))
		return 0;
	return err_set(err, ERR_CONFLICT,
		       "its branch in its sandbox was moved meanwhile");
}

/* Fills NAME.lock and renames it to NAME. */
static int replace(const struct private_commit *p, const char *name, int *fd,
		   const struct buf *text, struct err *err)
{
	_free_ char *from = mem_printf("%s.lock", name);
	const char *last, *slash = strrchr(from, '/');
	_close_ int at = file_open_parent(AT_FDCWD, p->dir, name, 0, &last);

	if (at < 0 || file_write_all(*fd, text->data, text->len) < 0 ||
	    renameat(at, slash ? slash + 1 : from, at, last) < 0)
		return err_errno(err, "write %s in %s", name, p->dir);
	file_reset(fd);
	return 0;
}

int private_commit_end(struct private_commit *p, const char *index,
		       const git_oid *commit, struct err *err)
{
	_buf_ struct buf text = {0}, line = {0};

	buf_addf(&line, "%s\n", git_oid_tostr_s(commit));
	if (index && (file_read(AT_FDCWD, index, INDEX_MAX, &text, err) < 0 ||
		      replace(p, "index", &p->index, &text, err) < 0))
		return -1;
	return replace(p, p->ref, &p->head, &line, err);
}

static void unlock(const struct private_commit *p, const char *name, int *fd)
{
	_free_ char *path = mem_printf("%s.lock", name);
	const char *last;
	_close_ int at = -1;

	if (*fd < 0)
		return;
	at = file_open_parent(AT_FDCWD, p->dir, path, 0, &last);
	if (at >= 0)
		unlinkat(at, last, 0);
	file_reset(fd);
}

void private_commit_finish(struct private_commit *p)
{
	if (!p->ref)
		return;
	unlock(p, "index", &p->index);
	unlock(p, p->ref, &p->head);
	free(p->ref);
	*p = (struct private_commit){.index = -1, .head = -1};
}
