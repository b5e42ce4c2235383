/* lfs.c - files of git LFS, without git-lfs. */
#include "worktrees/git/lfs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/mem.h"
#include "worktrees/git/copy_bytes.h"

#define FIRST  "version https://git-lfs.github.com/spec/v1\n"
#define SECOND "oid sha256:"
#define THIRD  "\nsize "
#define ROOM   65536

bool lfs_parse(struct lfs_pointer *p, const char *text, size_t len)
{
	char copy[LFS_TEXT] = "", again[LFS_TEXT];

	if (len >= sizeof copy)
		return false;
	memcpy(copy, text, len);
	if (sscanf(copy, FIRST SECOND "%64[0-9a-f]" THIRD "%" SCNd64, p->id,
		   &p->size) != 2 ||
	    strlen(p->id) != sizeof p->id - 1)
		return false;
	/* Only what git-lfs itself would write. */
	lfs_text(p, again);
	return strlen(again) == len && memcmp(again, text, len) == 0;
}

void lfs_text(const struct lfs_pointer *p, char text[LFS_TEXT])
{
	snprintf(text, LFS_TEXT, FIRST SECOND "%s" THIRD "%" PRId64 "\n", p->id,
		 p->size);
}

/* Hashes the rest of the file; keeps the first bytes in head, if it has as many
 * at most. Returns their number, or -1. */
static int64_t hash(int fd, char id[SHA256_HEX_SIZE], char *head, size_t room)
{
	_free_ char *chunk = mem_alloc(ROOM);
	struct sha256 sum = {.len = 0};
	int64_t size = 0;
	ssize_t n;

	while ((n = read(fd, chunk, ROOM)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if ((size_t)size < room)
			memcpy(head + size, chunk,
			       (size_t)n < room - (size_t)size
				   ? (size_t)n
				   : room - (size_t)size);
		sha256_add(&sum, chunk, (size_t)n);
		size += n;
	}
	sha256_end(&sum, id);
	return size;
}

/* Returns its path below git's directory, to be freed. */
static char *object(const struct lfs_pointer *p)
{
	return mem_printf("lfs/objects/%.2s/%.2s/%s", p->id, p->id + 2, p->id);
}

/* Opens a pointer's object below dir, after checking its size and hash, and
 * follows no link; -1 if it is not there, or is another. */
static int open_object(const char *dir, const struct lfs_pointer *p)
{
	_free_ char *name = object(p);
	const char *last;
	_close_ int at = file_open_parent(AT_FDCWD, dir, name, 0, &last),
		    fd = at < 0 ? -1 : file_open_any(at, last, NULL);
	char id[SHA256_HEX_SIZE];
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || st.st_size != p->size ||
	    hash(fd, id, NULL, 0) != p->size || strcmp(id, p->id) != 0 ||
	    lseek(fd, 0, SEEK_SET) < 0)
		return -1;
	return TAKE_FD(fd);
}

int lfs_open(git_repository *git, const struct lfs_pointer *p)
{
	return open_object(git_repository_commondir(git), p);
}

/* Copies the file from its start to path, which is new and for reading only, as
 * git-lfs makes it. */
static int copy(const struct lfs_pointer *p, int fd, const char *path)
{
	_close_ int out =
	    open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
	_free_ char *room = mem_alloc(COPY_BYTES_ROOM);
	char id[SHA256_HEX_SIZE];

	if (out < 0 || lseek(fd, 0, SEEK_SET) < 0 ||
	    copy_bytes(fd, out, room, true, false) != 0 || fsync(out) < 0 ||
	    lseek(out, 0, SEEK_SET) < 0)
		return -1;
	errno = ESTALE; /* if it was changed meanwhile */
	return hash(out, id, NULL, 0) == p->size && strcmp(id, p->id) == 0 ? 0
									   : -1;
}

/* The new file is in lfs/tmp, with a name of which git-lfs removes what a
 * killed run has left. Another process may store the same object meanwhile. */
int lfs_store(git_repository *git, const struct lfs_pointer *p, int fd,
	      struct err *err)
{
	const char *git_dir = git_repository_commondir(git);
	_free_ char *name = object(p), *path = file_join(git_dir, name),
		    *tmp = file_join(git_dir, "lfs/tmp"),
		    *new =
			mem_printf("%s/%s-afw%ld", tmp, p->id, (long)getpid()),
		    *dir = mem_strndup(path, strlen(path) - strlen(p->id) - 1);
	_close_ int there = lfs_open(git, p), other = -1;

	if (there >= 0)
		return 0;
	if (file_make_dirs(dir, 0777) < 0 || file_make_dirs(tmp, 0777) < 0)
		return err_errno(err, "make directory %s", dir);
	unlink(new);
	if (copy(p, fd, new) == 0 && rename(new, path) == 0)
		return 0;
	err_errno(err, "write %s", path);
	unlink(new);
	other = lfs_open(git, p);
	return other < 0 ? -1 : 0;
}

int lfs_import(git_repository *git, const char *dir, const char *text,
	       size_t len, struct err *err)
{
	struct lfs_pointer p;
	_close_ int fd = lfs_parse(&p, text, len) ? open_object(dir, &p) : -1;

	return fd < 0 ? 0 : lfs_store(git, &p, fd, err);
}

int lfs_point(struct lfs_pointer *p, int fd)
{
	char head[LFS_POINTER_MAX];
	struct lfs_pointer is;

	p->size = hash(fd, p->id, head, sizeof head);
	if (p->size < 0)
		return -1;
	return p->size > 0 && (p->size >= (int64_t)sizeof head ||
			       !lfs_parse(&is, head, (size_t)p->size));
}

bool lfs_is_pointer(int dir, const char *path)
{
	static const char first[] = "version https://git-lfs.github.com/spec/";
	char head[sizeof first - 1];
	struct stat st;
	_close_ int fd = -1;

	if (fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !S_ISREG(st.st_mode) || st.st_size > LFS_POINTER_MAX)
		return false;
	fd = openat(dir, path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	return fd >= 0 && read(fd, head, sizeof head) == sizeof head &&
	       memcmp(head, first, sizeof head) == 0;
}
