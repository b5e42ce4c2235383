/*
 * orphans.c - processes by the mark in their environment, and their start.
 *
 * A process is held by a pidfd before its environment is read, so that the
 * signal goes to the one that was looked at, never to a later one with its
 * number.
 */
#include "session/orphans.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/pidfd.h"
#include "base/procstat.h"

#define ENVIRON_MAX ((size_t)4 * 1024 * 1024)
#define ABOVE_MAX   64
#define LOOK_MS	    20
#define KILL_MS	    5000

#define ID_SIZE 65

struct search {
	char id[ID_SIZE];
	pid_t above[ABOVE_MAX]; /* us, our parent, its parent, ... */
	size_t n_above;
};

static void begin(struct search *s, const char *id)
{
	struct procstat is;

	snprintf(s->id, sizeof s->id, "%.64s", id);
	s->n_above = 0;
	for (pid_t p = getpid(); p > 1 && s->n_above < ABOVE_MAX;
	     p = is.parent) {
		s->above[s->n_above++] = p;
		if (!procstat_read(p, &is))
			break;
	}
}

static bool is_above(const struct search *s, pid_t pid)
{
	for (size_t i = 0; i < s->n_above; i++)
		if (s->above[i] == pid)
			return true;
	return false;
}

/* The session that its environment names. */
static bool read_mark(pid_t pid, char id[ID_SIZE])
{
	static const char name[] = "AF_SESSION_ID=";
	struct buf env = {0};
	char path[40];
	bool found = false;

	snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
	if (file_read(AT_FDCWD, path, ENVIRON_MAX, &env, NULL) == 0 && env.len)
		for (const char *e = env.data; e < env.data + env.len && !found;
		     e += strlen(e) + 1) {
			found = strncmp(e, name, sizeof name - 1) == 0;
			if (found)
				snprintf(id, ID_SIZE, "%s",
					 e + sizeof name - 1);
		}
	buf_finish(&env);
	return found;
}

/*
 * It lives, has the mark, and its start says that it is a session's: the first
 * one above it that has no mark is who took it in when its parent had died, in
 * another session of the kernel's. One that a user's shell has started with
 * such a variable is in that shell's.
 */
static bool is_left(pid_t pid, char id[ID_SIZE])
{
	struct procstat is, above;
	char other[ID_SIZE];

	if (!read_mark(pid, id) || !procstat_read(pid, &is) || is.zombie)
		return false;
	for (int i = 0; i < ABOVE_MAX && is.parent > 1; i++) {
		if (!procstat_read(is.parent, &above))
			return true; /* just gone, or another user's */
		if (!read_mark(above.pid, other) || strcmp(other, id) != 0)
			return above.session != is.session;
		is = above;
	}
	return true;
}

static bool has_mark(const struct search *s, pid_t pid)
{
	char id[ID_SIZE];

	return is_left(pid, id) && strcmp(id, s->id) == 0;
}

static bool ours(const char *pid)
{
	char path[40];
	struct stat st;

	if (!isdigit((unsigned char)pid[0]))
		return false;
	snprintf(path, sizeof path, "/proc/%.20s", pid);
	return stat(path, &st) == 0 && st.st_uid == geteuid();
}

/* Sends signo (0: none) to all that are there; returns how many. */
static int signal_all(const struct search *s, int signo)
{
	struct dirent *e;
	DIR *d = opendir("/proc");
	int count = 0;

	while (d && (e = readdir(d))) {
		pid_t pid;
		int fd;

		if (!ours(e->d_name))
			continue;
		pid = (pid_t)atoi(e->d_name);
		if (is_above(s, pid))
			continue;
		fd = pidfd_hold(pid);
		if ((fd >= 0 || errno == ENOSYS) && has_mark(s, pid)) {
			count++;
			if (signo == SIGTERM) /* a stopped one must see it */
				pidfd_tell(fd, pid, SIGCONT);
			if (signo)
				pidfd_tell(fd, pid, signo);
		}
		file_close(fd);
	}
	if (d)
		closedir(d);
	return count;
}

int orphans_end(const char *id, int64_t grace_ms, struct err *err)
{
	int64_t now = clock_mono_ms();
	int64_t kill_at = now + (grace_ms > 0 ? grace_ms : 0);
	struct search s;
	int found, left;

	begin(&s, id);
	found = left = signal_all(&s, SIGTERM);
	while (left > 0 && now < kill_at + KILL_MS) {
		poll(NULL, 0, LOOK_MS);
		now = clock_mono_ms();
		left = signal_all(&s, now < kill_at ? 0 : SIGKILL);
	}
	if (left > 0)
		return err_set(err, ERR_FAILED,
			       "%d processes of an earlier run will not end",
			       left);
	return found;
}

void orphans_each(orphans_fn fn, void *ctx)
{
	struct search s;
	struct dirent *e;
	DIR *d = opendir("/proc");

	begin(&s, "");
	while (d && (e = readdir(d))) {
		pid_t pid = (pid_t)atoi(e->d_name);
		char id[ID_SIZE];

		if (ours(e->d_name) && !is_above(&s, pid) && is_left(pid, id))
			fn(ctx, pid, id);
	}
	if (d)
		closedir(d);
}

/* -- servers --------------------------------------------------------------- */

/* "socket:[inode]" of who listens on path. proc(5): /proc/net/unix. */
static bool listener(const char *path, char *out, size_t size)
{
	FILE *f = fopen("/proc/net/unix", "re");
	char *line = NULL;
	size_t cap = 0;
	bool found = false;
	ssize_t n;

	while (f && !found && (n = getline(&line, &cap, f)) > 0) {
		unsigned long flags, inode;
		int at = 0;

		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%*s %*s %*s %lx %*s %*s %lu %n", &flags,
			   &inode, &at) < 2 ||
		    at == 0 || !(flags & 0x10000 /* __SO_ACCEPTCON */))
			continue;
		found = strcmp(line + at, path) == 0;
		snprintf(out, size, "socket:[%lu]", inode);
	}
	free(line);
	if (f)
		fclose(f);
	return found;
}

static bool has_open(pid_t pid, const char *what)
{
	char path[64], target[64];
	bool found = false;
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
	d = opendir(path);
	while (d && !found && (e = readdir(d))) {
		ssize_t n =
		    readlinkat(dirfd(d), e->d_name, target, sizeof target - 1);

		if (n <= 0)
			continue;
		target[n] = '\0';
		found = strcmp(target, what) == 0;
	}
	if (d)
		closedir(d);
	return found;
}

/* Its pid, and in *pidfd (-1: none) what holds it; or 0. */
static pid_t find_server(const char *id, const char *path, int *pidfd)
{
	struct search s;
	struct dirent *e;
	char socket[48];
	pid_t found = 0;
	DIR *d;

	*pidfd = -1;
	if (!listener(path, socket, sizeof socket))
		return 0;
	begin(&s, id);
	d = opendir("/proc");
	while (d && !found && (e = readdir(d))) {
		pid_t pid;

		if (!ours(e->d_name))
			continue;
		pid = (pid_t)atoi(e->d_name);
		*pidfd = is_above(&s, pid) ? -1 : pidfd_hold(pid);
		if (*pidfd >= 0 && has_open(pid, socket) && has_mark(&s, pid))
			found = pid;
		else
			file_close(*pidfd);
	}
	if (d)
		closedir(d);
	if (!found)
		*pidfd = -1;
	return found;
}

pid_t orphans_server(const char *id, const char *path)
{
	int pidfd;
	pid_t pid = find_server(id, path, &pidfd);

	file_close(pidfd);
	return pid;
}

int orphans_end_server(const char *id, const char *path, int64_t grace_ms,
		       struct err *err)
{
	struct pollfd p = {.events = POLLIN};
	pid_t pid = find_server(id, path, &p.fd);
	int rc = 0;

	if (pid == 0)
		return 0;
	pidfd_tell(p.fd, pid, SIGCONT); /* a stopped one must see it */
	pidfd_tell(p.fd, pid, SIGTERM);
	if (poll(&p, 1, (int)grace_ms) <= 0) {
		pidfd_tell(p.fd, pid, SIGKILL);
		if (poll(&p, 1, KILL_MS) <= 0)
			rc = err_set(err, ERR_FAILED,
				     "the server %d of an earlier run will "
				     "not end",
				     (int)pid);
	}
	close(p.fd);
	return rc;
}
