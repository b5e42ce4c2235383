/*
 * orphans.c - processes by the mark in their environment.
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

#define ENVIRON_MAX ((size_t)4 * 1024 * 1024)
#define ABOVE_MAX   64
#define LOOK_MS	    20
#define KILL_MS	    5000

struct search {
	char mark[96];		/* AF_SESSION_ID=... */
	pid_t above[ABOVE_MAX]; /* us, our parent, its parent, ... */
	size_t n_above;
};

/* proc(5): parent of pid, or 0; the state's letter. */
static pid_t parent_of(pid_t pid, char *state)
{
	char path[40], text[512], *p;
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof text - 1);
	close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	p = strrchr(text, ')');
	if (!p || p[1] != ' ' || !p[2])
		return 0;
	*state = p[2];
	return (pid_t)strtol(p + 3, NULL, 10);
}

static void begin(struct search *s, const char *id)
{
	char state;

	snprintf(s->mark, sizeof s->mark, "AF_SESSION_ID=%.64s", id);
	s->n_above = 0;
	for (pid_t p = getpid(); p > 1 && s->n_above < ABOVE_MAX;
	     p = parent_of(p, &state))
		s->above[s->n_above++] = p;
}

static bool is_above(const struct search *s, pid_t pid)
{
	for (size_t i = 0; i < s->n_above; i++)
		if (s->above[i] == pid)
			return true;
	return false;
}

static bool has_mark(const struct search *s, pid_t pid)
{
	struct buf env = {0};
	char path[40], state = 0;
	bool found = false;

	snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
	if (file_read(AT_FDCWD, path, ENVIRON_MAX, &env, NULL) == 0 && env.len)
		for (const char *e = env.data; e < env.data + env.len && !found;
		     e += strlen(e) + 1)
			found = strcmp(e, s->mark) == 0;
	buf_finish(&env);
	return found && parent_of(pid, &state) > 0 && state != 'Z' &&
	       state != 'X';
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
		if (fd >= 0)
			close(fd);
	}
	if (d)
		closedir(d);
	return count;
}

int orphans_end(const char *id, int64_t grace_ms, struct err *err)
{
	int64_t now = clock_mono_ms(), end = 0;
	int64_t kill_at = now + (grace_ms > 0 ? grace_ms : 0);
	struct search s;
	int found, left;

	begin(&s, id);
	found = left = signal_all(&s, SIGTERM);
	/* From the first KILL on: we may have stood still until now. */
	while (left > 0 && (end == 0 || now < end)) {
		poll(NULL, 0, LOOK_MS);
		now = clock_mono_ms();
		left = signal_all(&s, now < kill_at ? 0 : SIGKILL);
		if (end == 0 && now >= kill_at)
			end = now + KILL_MS;
	}
	if (left > 0)
		return err_set(err, ERR_FAILED,
			       "%d processes of an earlier run will not end",
			       left);
	return found;
}

void orphans_each(orphans_fn fn, void *ctx)
{
	static const char name[] = "AF_SESSION_ID=";
	struct search s;
	struct dirent *e;
	DIR *d = opendir("/proc");

	begin(&s, "");
	while (d && (e = readdir(d))) {
		struct buf env = {0};
		const char *id = NULL;
		char path[40], state = 0;
		pid_t pid;

		if (!ours(e->d_name))
			continue;
		pid = (pid_t)atoi(e->d_name);
		if (is_above(&s, pid))
			continue;
		snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
		if (file_read(AT_FDCWD, path, ENVIRON_MAX, &env, NULL) == 0 &&
		    env.len)
			for (const char *v = env.data;
			     !id && v < env.data + env.len; v += strlen(v) + 1)
				if (strncmp(v, name, sizeof name - 1) == 0)
					id = v + sizeof name - 1;
		if (id && parent_of(pid, &state) > 0 && state != 'Z' &&
		    state != 'X')
			fn(ctx, pid, id);
		buf_finish(&env);
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
		else if (*pidfd >= 0)
			close(*pidfd);
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

	if (pidfd >= 0)
		close(pidfd);
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
