/* ref.c - makes and deletes references; cleans up after a dead run. */
#include "worktrees/ref.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#if __has_include(<git2/sys/errors.h>)
#include <git2/sys/errors.h> /* newer libgit2: git_error_set_str() */
#endif

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "worktrees/branch_config.h"

#define JOURNAL	     "afw-refs"
#define HEADS	     "refs/heads/"
#define NAME_MAX_LEN 1024
#define WAIT_MS	     10000 /* for another afw's change */
#define STALE_MS     300   /* so long a lock of git's does not stay as it is */
#define LOOK_MS	     10
#define DIR_FLAGS    (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static int open_dir(git_repository *git)
{
	return open(git_repository_commondir(git),
		    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Whether fd is what JOURNAL is called; its holder takes the name away. */
static bool is_current(int dir, int fd)
{
	struct stat a, b;

	return fstat(fd, &a) == 0 &&
	       fstatat(dir, JOURNAL, &b, AT_SYMLINK_NOFOLLOW) == 0 &&
	       a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

/* The journal, held: nobody else is at work. -1: it cannot be had. */
static int hold(int dir, int flags)
{
	int64_t end = clock_mono_ms() + WAIT_MS;

	for (;;) {
		int fd = openat(dir, JOURNAL,
				O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0666);

		if (fd < 0)
			return -1;
		while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
			if (clock_mono_ms() >= end) {
				close(fd);
				return -1;
			}
			clock_poll(NULL, 0, LOOK_MS);
		}
		if (is_current(dir, fd))
			return fd;
		close(fd);
	}
}

static void let_go(int dir, int fd)
{
	unlinkat(dir, JOURNAL, 0);
	close(fd);
}

static bool same(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static void remove_lock(int dir, const char *name, bool only_ours)
{
	int64_t end = clock_mono_ms() + (only_ours ? 0 : STALE_MS);
	struct stat was, is;

	if (fstatat(dir, name, &was, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !S_ISREG(was.st_mode))
		return;
	while (clock_mono_ms() < end) {
		poll(NULL, 0, LOOK_MS);
		if (fstatat(dir, name, &is, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !same(&was, &is))
			return; /* somebody is at work */
	}
	unlinkat(dir, name, 0);
}

/* The lock beside the reference; no symlink on the way is followed. */
static void remove_ref_lock(int git_dir, const char *name, bool only_ours)
{
	int dir = dup(git_dir), next;
	char *copy = mem_printf("%s.lock", name), *part = copy, *slash;

	while (dir >= 0 && (slash = strchr(part, '/'))) {
		*slash = '\0';
		next = openat(dir, part, DIR_FLAGS);
		close(dir);
		dir = next;
		part = slash + 1;
	}
	if (dir >= 0) {
		remove_lock(dir, part, only_ours);
		close(dir);
	}
	free(copy);
}

/* What a run wrote that has died; empty where it had not begun. */
static void clean_up(int dir, int fd)
{
	char name[NAME_MAX_LEN + 1];
	ssize_t n = pread(fd, name, sizeof name - 1, 0);
	bool ours;

	if (n <= 1 || name[n - 1] != '\n')
		return;
	name[n - 1] = '\0';
	/* A harness may be able to write it. */
	ours = strncmp(name, "refs/afw/", 9) == 0;
	if (strlen(name) != (size_t)n - 1 ||
	    (!ours && strncmp(name, HEADS, strlen(HEADS)) != 0) ||
	    git_reference_is_valid_name(name) != 1)
		return;
	remove_ref_lock(dir, name, ours);
	remove_lock(dir, "packed-refs.lock", false);
	branch_config_recover(dir);
}

struct change {
	int dir, fd;
};

static int begin(struct change *c, git_repository *git, const char *name)
{
	char *line = mem_printf("%s\n", name);
	size_t len = strlen(line);
	int r = 0;

	c->dir = open_dir(git);
	c->fd = c->dir >= 0 ? hold(c->dir, O_CREAT) : -1;
	if (c->fd >= 0)
		clean_up(c->dir, c->fd);
	if (c->fd < 0 || ftruncate(c->fd, 0) < 0 ||
	    pwrite(c->fd, line, len, 0) != (ssize_t)len) {
		git_error_set_str(GIT_ERROR_OS, JOURNAL);
		r = GIT_ELOCKED;
	}
	free(line);
	return r;
}

static void end(struct change *c)
{
	if (c->fd >= 0)
		let_go(c->dir, c->fd);
	if (c->dir >= 0)
		close(c->dir);
}

int ref_create(git_repository *git, const char *name, const git_oid *oid,
	       const char *log)
{
	git_reference *ref = NULL;
	struct change c;
	int r = begin(&c, git, name);

	if (r == 0)
		r = git_reference_create(&ref, git, name, oid, 0, log);
	git_reference_free(ref);
	end(&c);
	return r;
}

int ref_delete(git_repository *git, const char *name, const git_oid *oid)
{
	return ref_delete_if(git, name, oid, NULL, NULL);
}

int ref_delete_if(git_repository *git, const char *name, const git_oid *oid,
		  bool (*may)(void *ctx), void *ctx)
{
	git_reference *ref = NULL;
	struct change c;
	int r = begin(&c, git, name);

	if (r == 0 && may && !may(ctx))
		r = GIT_EUSER;
	if (r == 0)
		r = git_reference_lookup(&ref, git, name);
	if (r == 0 && (!git_reference_target(ref) ||
		       !git_oid_equal(git_reference_target(ref), oid)))
		r = GIT_EMODIFIED;
	if (r == 0)
		r = git_reference_delete(ref);
	/* Where that fails, it is but a setting too much. */
	if (r == 0 && may && strncmp(name, HEADS, strlen(HEADS)) == 0)
		branch_config_drop(c.dir, name + strlen(HEADS));
	git_reference_free(ref);
	end(&c);
	return r;
}

void ref_recover(git_repository *git)
{
	int dir = open_dir(git), fd = dir >= 0 ? hold(dir, 0) : -1;

	if (fd >= 0) {
		clean_up(dir, fd);
		let_go(dir, fd);
	}
	if (dir >= 0)
		close(dir);
}

bool ref_is_stuck(git_repository *git)
{
	int dir = open_dir(git), fd = -1;
	bool stuck;

	if (dir >= 0)
		fd = openat(dir, JOURNAL, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	stuck = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
		is_current(dir, fd);
	if (fd >= 0)
		close(fd);
	if (dir >= 0)
		close(dir);
	return stuck;
}
