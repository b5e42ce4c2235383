/*
 * render.c - makes files with the ports and the slug of the session, such as
 * .env of .env.af.
 *
 * A source that git has is the worktree's own, another one the main worktree's.
 * No link is followed on either side, and no file is overwritten.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/session_vars.h"
#include "worktrees/changes/copied.h"
#include "worktrees/create/create.h"
#include "worktrees/git/cleanup.h"

#define SOURCE_MAX ((size_t)1 << 20)

/* Returns the source, or -1 with errno. */
static int open_source(const struct create *c, const char *path)
{
	const char *from = c->repo.checkout, *name;
	_close_ int dir = file_open_parent(c->tree, ".", path, 0, &name);
	int fd = dir < 0 ? -1 : file_open(dir, name, O_RDONLY, NULL);
	_close_ int main = -1;

	if (fd >= 0 || errno != ENOENT || !from)
		return fd;
	main = file_open_parent(AT_FDCWD, from, path, 0, &name);
	return main < 0 ? -1 : file_open(main, name, O_RDONLY, NULL);
}

static int err_file(const char *what, const char *path, struct err *err)
{
	err_set(err, ERR_FAILED, "render: %s %s: %s", what, path,
		errno == ELOOP	   ? "it is a link"
		: errno == ENOTDIR ? "a part of its path is a link or a file"
		: errno == EINVAL  ? "it is not a file"
		: errno == EFBIG   ? "it is larger than 1 MiB"
				   : strerror(errno));
	return err_hint(err, "-o render= leaves it out");
}

/* Writes it, and remembers it; 1: there is a file already. */
static int write_target(const struct create *c, const char *path,
			const char *text, mode_t mode, struct err *err)
{
	const char *name;
	_close_ int dir = file_open_parent(c->tree, ".", path, 0777, &name);
	_close_ int fd = -1;
	struct stat st;

	if (dir >= 0)
		fd =
		    openat(dir, name,
			   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			   mode & 0777);
	if (dir >= 0 && fd < 0 && errno == EEXIST)
		return 1;
	if (fd < 0 || file_write_all(fd, text, strlen(text)) < 0 ||
	    fstat(fd, &st) < 0 || close(TAKE_FD(fd)) < 0)
		return err_file("write", path, err);
	return copied_add_rendered(c->entry, path, &st, err);
}

static int render(struct create *c, git_repository *git, const char *from,
		  const char *to, struct err *err)
{
	_close_ int in = open_source(c, from);
	_buf_ struct buf text = {0};
	_free_ char *filled = NULL;
	int ignored = 1, rc;
	struct stat st;

	if (in < 0 || fstat(in, &st) < 0 ||
	    file_read_fd(in, SOURCE_MAX, &text) < 0)
		return err_file("read", from, err);
	if (text.len && memchr(text.data, '\0', text.len))
		return err_set(err, ERR_FAILED, "render: %s is not a text",
			       from);
	filled = session_vars_expand(text.len ? text.data : "", c->req->vars);
	rc = write_target(c, to, filled, st.st_mode, err);
	if (rc > 0)
		strv_addf(&c->warnings,
			  "%s was not made of %s: there is a %s already", to,
			  from, to);
	else if (rc == 0 &&
		 git_ignore_path_is_ignored(&ignored, git, to) == 0 && !ignored)
		strv_addf(&c->warnings,
			  "git does not ignore %s, which has the ports of this "
			  "session, so an agent may commit it: name it in "
			  ".gitignore",
			  to);
	return rc < 0 ? -1 : 0;
}

int create_render(struct create *c, struct err *err)
{
	const struct strv *words = c->req->render;
	_git_repository_ git_repository *git = NULL;

	if (words->n && repo_open_git(&git, c->place.path) < 0)
		return repo_err(err, ERR_FAILED, "open %s", c->place.path);
	for (size_t i = 0; i + 2 < words->n; i += 3)
		if (render(c, git, words->v[i], words->v[i + 2], err) < 0)
			return -1;
	return 0;
}
