/*
 * follow.c - reads a file as it grows, also after it is renamed.
 *
 * The open file is read to its end first; if the name then refers to another
 * file, reading continues there.
 */
#include "session/disk/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

#define LINE_MAX_BYTES ((size_t)1024 * 1024)
#define CHUNK	       ((size_t)64 * 1024)

/* -1: there is none, or failed says why. */
static int open_file(struct follow *f, const char *path)
{
	int fd = file_open(AT_FDCWD, path, O_RDONLY, NULL);

	if (fd < 0 && errno != ENOENT)
		f->failed = errno;
	return fd;
}

static bool same_file(int a, int b)
{
	struct stat x, y;

	return a >= 0 && b >= 0 && fstat(a, &x) == 0 && fstat(b, &y) == 0 &&
	       x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/*
 * Opens the file that follows the open one; -1 if there is none yet. Called
 * before the open file is read to its end: once another file has the name,
 * nothing more is written to the old one.
 */
static int open_next(struct follow *f)
{
	int next = open_file(f, f->path), old;

	if (same_file(f->fd, next)) {
		close(next);
		return -1;
	}
	/* At the start, or if it was renamed twice since: NAME.1 comes first.
	 */
	old = open_file(f, f->old_path);
	if (old >= 0 && !same_file(f->fd, old) && !same_file(next, old)) {
		file_close(next);
		return old;
	}
	file_close(old);
	return next;
}

void follow_open(struct follow *f, const char *dir, const char *name)
{
	*f = (struct follow){.path = file_join(dir, name), .fd = -1};
	f->old_path = mem_printf("%s.1", f->path);
	f->fd = open_next(f);
}

void follow_close(struct follow *f)
{
	file_close(f->fd);
	buf_finish(&f->in);
	free(f->path);
	free(f->old_path);
}

static int take_lines(struct follow *f, follow_fn fn, void *ctx)
{
	size_t at = 0;
	char *lf;
	int rc = 0;

	while (rc == 0 && at < f->in.len &&
	       (lf = memchr(f->in.data + at, '\n', f->in.len - at))) {
		size_t len = (size_t)(lf - f->in.data) - at;

		if (!f->skipping)
			rc = fn(ctx, f->in.data + at, len);
		f->skipping = false;
		at += len + 1;
	}
	buf_drop(&f->in, at);
	if (f->in.len > LINE_MAX_BYTES) {
		f->skipping = true;
		buf_clear(&f->in);
	}
	return rc;
}

/* Reads the open file to its end. */
static int drain(struct follow *f, follow_fn fn, void *ctx)
{
	int rc = 0;

	while (rc == 0 && f->fd >= 0) {
		ssize_t n = read(f->fd, buf_room(&f->in, CHUNK), CHUNK);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			f->failed = errno;
		if (n <= 0)
			break;
		f->in.len += (size_t)n;
		f->in.data[f->in.len] = '\0';
		rc = take_lines(f, fn, ctx);
	}
	return rc;
}

int follow_next(struct follow *f, follow_fn fn, void *ctx)
{
	for (;;) {
		int next = open_next(f), rc = drain(f, fn, ctx);

		if (rc != 0 && next >= 0)
			close(next);
		if (rc != 0 || next < 0)
			return rc;
		file_close(f->fd);
		f->fd = next;
		buf_clear(&f->in);
		f->skipping = false;
	}
}
