/* mounts.c - as bubblewrap does it, but for what Landlock does after. */
#include "sandbox/confine/mounts.h"

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"

#define HELD_MAX 256

const char *const mounts_own[] = {"/tmp", "/var/tmp", "/dev/shm", "/dev/pts",
				  NULL};

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), rc;

	rc = fd < 0 ? -1 : file_write_all(fd, text, strlen(text));
	file_close(fd);
	return rc;
}

/* System V's shared memory is of the user, not below any path. */
int mounts_enter(void)
{
	char *uid = mem_printf("%d %d 1", (int)geteuid(), (int)geteuid());
	char *gid = mem_printf("%d %d 1", (int)getegid(), (int)getegid());
	int rc = 0;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC) < 0 ||
	    write_text("/proc/self/uid_map", uid) < 0 ||
	    write_text("/proc/self/setgroups", "deny") < 0 ||
	    write_text("/proc/self/gid_map", gid) < 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		rc = -1;
	free(uid);
	free(gid);
	return rc;
}

static int set_flags(const char *path, unsigned recursive, uint64_t set,
		     uint64_t clear, struct err *err)
{
	struct mount_attr attr = {.attr_set = set, .attr_clr = clear};

	if (mount_setattr(AT_FDCWD, path, recursive | AT_SYMLINK_NOFOLLOW,
			  &attr, sizeof attr) < 0)
		return err_errno(err, "protect %s", path);
	return 0;
}

static int bind_to(const char *from, const char *at, struct err *err)
{
	if (mount(from, at, NULL, MS_BIND, NULL) < 0)
		return err_errno(err, "mount %s", at);
	return 0;
}

static int bind_open(int fd, const char *at, struct err *err)
{
	char *from = mem_printf("/proc/self/fd/%d", fd);
	int rc = bind_to(from, at, err);

	free(from);
	return rc;
}

/* What is open as fd gets a mount of its own, at the place that it has: /tmp
 * around it may have been covered since. */
static int put_back(const char *path, int fd, struct err *err)
{
	char *at = mem_strdup(path);
	struct stat st;

	for (char *p = at + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(at, 0700);
		*p = '/';
	}
	free(at);
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
		mkdir(path, 0700);
	else
		file_close(open(path, O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
	return bind_open(fd, path, err);
}

static bool is_in_tmp(const char *path)
{
	return strncmp(path, "/tmp/", 5) == 0 ||
	       strncmp(path, "/var/tmp/", 9) == 0;
}

/* Terminals are those that are made inside: none of the user's. */
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

/* Those that are written to, and those that /tmp's cover would hide. */
static int cover(const cJSON *rules, const struct strv *paths, size_t writable,
		 struct err *err)
{
	int fds[HELD_MAX], rc;

	if (paths->n > HELD_MAX)
		return err_set(err, ERR_FAILED, "more than %d paths", HELD_MAX);
	for (size_t i = 0; i < paths->n; i++)
		fds[i] = i < writable || is_in_tmp(paths->v[i])
			     ? open(paths->v[i], O_PATH | O_CLOEXEC)
			     : -1;
	rc = cover_own(json_str_or(rules, "tmp", ""), err);
	for (size_t i = 0; i < paths->n; i++) {
		if (rc == 0 && fds[i] >= 0)
			rc = put_back(paths->v[i], fds[i], err);
		file_close(fds[i]);
	}
	return rc;
}

int mounts_apply(const cJSON *rules, struct err *err)
{
	const char *git_file = json_str(rules, "git");
	char *at = file_join(json_str_or(rules, "dir", ""), ".git");
	struct strv paths = {0}, fixed = {0};
	int git =
		git_file ? open(git_file, O_PATH | O_CLOEXEC | O_NOFOLLOW) : -1,
	    rc = 0;
	size_t writable;

	json_strv(rules, "write", &paths);
	writable = paths.n;
	json_strv(rules, "read", &paths);
	json_strv(rules, "fixed", &fixed);
	if (git_file && git < 0)
		rc = err_errno(err, "open %s", git_file);
	if (rc == 0)
		rc = cover(rules, &paths, writable, err);
	if (rc == 0 && git >= 0)
		rc = bind_open(git, at, err);
	for (size_t i = 0; rc == 0 && i < fixed.n; i++)
		rc = bind_to(fixed.v[i], fixed.v[i], err);
	if (rc == 0)
		rc = set_flags("/", AT_RECURSIVE, MOUNT_ATTR_RDONLY, 0, err);
	for (size_t i = 0; rc == 0 && i < writable; i++)
		rc = set_flags(paths.v[i], 0, 0, MOUNT_ATTR_RDONLY, err);
	for (size_t i = 0; rc == 0 && mounts_own[i]; i++)
		rc = set_flags(mounts_own[i], 0, 0, MOUNT_ATTR_RDONLY, err);
	file_close(git);
	strv_finish(&paths);
	strv_finish(&fixed);
	free(at);
	return rc;
}
