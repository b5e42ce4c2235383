/*
 * mounts.c - gives a process its own view of the file system, by namespaces and
 * mounts, as bubblewrap does. Landlock does the rest.
 *
 * Each path is opened once, and its mount moved into place by descriptor:
 * /tmp inside belongs to the agent, so that a path in it may lead elsewhere
 * when it is resolved again.
 */
#include "sandbox/confine/mounts.h"

#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "sandbox/confine/mount_calls.h"

const char *const mounts_own[] = {"/tmp", "/var/tmp", "/dev/shm", "/dev/pts",
				  NULL};

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), rc;

	rc = fd < 0 ? -1 : file_write_all(fd, text, strlen(text));
	file_close(fd);
	return rc;
}

/* System V's shared memory belongs to the user, not to a path. */
int mounts_enter(void)
{
	_free_ char *uid =
	    mem_printf("%d %d 1", (int)geteuid(), (int)geteuid());
	_free_ char *gid =
	    mem_printf("%d %d 1", (int)getegid(), (int)getegid());
	int rc = 0;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC) < 0 ||
	    write_text("/proc/self/uid_map", uid) < 0 ||
	    write_text("/proc/self/setgroups", "deny") < 0 ||
	    write_text("/proc/self/gid_map", gid) < 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		rc = -1;
	return rc;
}

/* -- the paths ---------------------------------------------------------------
 */

int mounts_open(const cJSON *rules, struct mounts *m, struct err *err)
{
	const char *dir = json_str_or(rules, "dir", "");
	const cJSON *gits = json_get(rules, "gits");

	json_strv(rules, "write", &m->paths);
	m->writable = m->paths.n;
	json_strv(rules, "read", &m->paths);
	if (m->paths.n > MOUNTS_MAX) {
		strv_finish(&m->paths);
		return err_set(err, ERR_FAILED, "more than %d paths",
			       MOUNTS_MAX);
	}
	for (size_t i = 0; i < m->paths.n; i++)
		m->gits[i] = m->fds[i] = -1;
	for (size_t i = 0; i < m->paths.n; i++) {
		const char *path = m->paths.v[i], *git = json_str(gits, path);
		bool is_dir = strcmp(path, dir) == 0;

		if (is_dir && !git)
			git = json_str(rules, "git");
		/* It was checked to be the worktree when it was entered. */
		m->fds[i] = open(is_dir ? "." : path, O_PATH | O_CLOEXEC);
		if (git)
			m->gits[i] = open(git, O_PATH | O_CLOEXEC | O_NOFOLLOW);
		if (git && m->gits[i] < 0)
			return err_errno(err, "open %s", git);
	}
	return 0;
}

void mounts_close(struct mounts *m)
{
	for (size_t i = 0; i < m->paths.n; i++) {
		file_close(m->fds[i]);
		file_close(m->gits[i]);
	}
	strv_finish(&m->paths);
}

/* -- into place --------------------------------------------------------------
 */

static int set_flags(int at, const char *path, uint64_t set, uint64_t clear,
		     struct err *err)
{
	struct mount_attr attr = {.attr_set = set, .attr_clr = clear};
	unsigned how = *path ? AT_SYMLINK_NOFOLLOW : AT_EMPTY_PATH;

	if (mount_setattr(at, path, how | (set ? AT_RECURSIVE : 0), &attr,
			  sizeof attr) < 0)
		return err_errno(err, "protect %s", *path ? path : "a mount");
	return 0;
}

/* Mounts fd over at, read only like everything, or writable. Returns the mount,
 * open, or -1 with err. */
static int mount_over(int fd, int at, const char *path, bool writable,
		      struct err *err)
{
	int tree = open_tree(
	    fd, "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH);

	if (tree < 0 ||
	    move_mount(tree, "", at, "",
		       MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) < 0)
		err_errno(err, "mount %s", path);
	else if (!writable ||
		 set_flags(tree, "", 0, MOUNT_ATTR_RDONLY, err) == 0)
		return tree;
	file_close(tree);
	return -1;
}

/* Returns the part of a path below a directory that the agent has as its own,
 * else NULL. */
static const char *in_own(const char *path)
{
	static const char *const own[] = {"/tmp/", "/var/tmp/", "/dev/shm/"};

	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (strncmp(path, own[i], strlen(own[i])) == 0)
			return path + strlen(own[i]);
	return NULL;
}

/* Opens, and makes if needed, the place of fd's path in such a directory.
 * If the agent moves it, the mount moves too. */
static int make_place(const char *path, int fd)
{
	const char *below = in_own(path), *name;
	_free_ char *tmp = mem_strndup(path, (size_t)(below - path));
	int dir = file_open_parent(AT_FDCWD, tmp, below, 0700, &name), at = -1;
	struct stat st;

	if (dir >= 0 && fstat(fd, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			mkdirat(dir, name, 0700);
		else
			mknodat(dir, name, S_IFREG | 0600, 0);
		at = openat(dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	}
	file_close(dir);
	return at;
}

/* Covers a file in the worktree, which is open as dir and mounted as tree, with
 * fd; -1: with itself. */
static int cover_file(int dir, int tree, const char *name, int fd,
		      struct err *err)
{
	int own = openat(dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	int at = openat(tree, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	int mount = mount_over(fd < 0 ? own : fd, at, name, false, err);

	file_close(own);
	file_close(at);
	file_close(mount);
	return mount < 0 ? -1 : 0;
}

/* Covers what the rules say of the i-th path, mounted as tree. */
static int put_fixed(const cJSON *rules, const struct mounts *m, size_t i,
		     int tree, struct err *err)
{
	const char *path = m->paths.v[i];
	_strv_ struct strv fixed = {0};
	int rc = 0;

	if (m->gits[i] >= 0)
		rc = cover_file(m->fds[i], tree, ".git", m->gits[i], err);
	json_strv(rules, "fixed", &fixed);
	for (size_t k = 0; rc == 0 && k < fixed.n; k++) {
		const char *name = strrchr(fixed.v[k], '/') + 1;

		if (strlen(path) + 1 == (size_t)(name - fixed.v[k]) &&
		    strncmp(path, fixed.v[k], strlen(path)) == 0)
			rc = cover_file(m->fds[i], tree, name, -1, err);
	}
	return rc;
}

/* Mounts the writable paths, and those that its own directories hide. */
static int mount_all(const cJSON *rules, const struct mounts *m,
		     struct err *err)
{
	const char *dir = json_str_or(rules, "dir", "");
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < m->paths.n; i++) {
		const char *path = m->paths.v[i];
		int fd = m->fds[i], at = fd, tree;

		if (fd < 0 || (i >= m->writable && !in_own(path)))
			continue;
		if (in_own(path))
			at = make_place(path, fd);
		tree = mount_over(fd, at, path, i < m->writable, err);
		rc = tree < 0 ? -1 : 0;
		if (rc == 0 && i < m->writable)
			rc = put_fixed(rules, m, i, tree, err);
		if (rc == 0 && strcmp(path, dir) == 0 && fchdir(tree) < 0)
			rc = err_errno(err, "go to %s", dir);
		file_close(tree);
		if (at != fd)
			file_close(at);
	}
	return rc;
}

static int bind_to(const char *from, const char *at, struct err *err)
{
	if (mount(from, at, NULL, MS_BIND, NULL) < 0)
		return err_errno(err, "mount %s", at);
	return 0;
}

/* Terminals are only those made inside, none of the user. */
static int cover_own(const char *tmp, struct err *err)
{
	if (bind_to(tmp, "/tmp", err) < 0 ||
	    bind_to("/tmp", "/var/tmp", err) < 0)
		return -1;
	if (mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV,
		  "size=256m") < 0)
		return err_errno(err, "mount /dev/shm");
	if (mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
		  "newinstance,ptmxmode=0666,mode=0620") < 0)
		return err_errno(err, "mount /dev/pts");
	return 0;
}

int mounts_apply(const cJSON *rules, const struct mounts *m, struct err *err)
{
	int rc = cover_own(json_str_or(rules, "tmp", ""), err);

	if (rc == 0)
		rc = set_flags(AT_FDCWD, "/", MOUNT_ATTR_RDONLY, 0, err);
	for (size_t i = 0; rc == 0 && mounts_own[i]; i++)
		rc = set_flags(AT_FDCWD, mounts_own[i], 0, MOUNT_ATTR_RDONLY,
			       err);
	return rc == 0 ? mount_all(rules, m, err) : -1;
}
