/*
 * orphans.c - processes by the mark in their environment, and their start.
 *
 * A process is held by a pidfd before its environment is read, so that the
 * signal goes to the one that was looked at, never to a later one with its
 * number.
 */
#include "session/live/orphans.h"

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

/* Which processes, and what is sent to them. */
struct search {
	const char *id;
	const char *socket; /* has it open, by its name in /proc; NULL: any */
	pid_t pid;	    /* the last that was found; with socket the one */
	int signo, count;
};

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

static bool ours(const char *pid)
{
	char path[40];
	struct stat st;

	if (!isdigit((unsigned char)pid[0]))
		return false;
	snprintf(path, sizeof path, "/proc/%.20s", pid);
	return stat(path, &st) == 0 && st.st_uid == geteuid();
}

/* Us, our parent, its parent, ...; 0 ends. */
static void list_above(pid_t above[ABOVE_MAX + 1])
{
	struct procstat is = {.parent = getpid()};
	size_t n = 0;

	while (is.parent > 1 && n < ABOVE_MAX) {
		above[n++] = is.parent;
		if (!procstat_read(is.parent, &is))
			break;
	}
	above[n] = 0;
}

void orphans_each(orphans_fn fn, void *ctx)
{
	DIR *d = file_list(AT_FDCWD, "/proc");
	pid_t above[ABOVE_MAX + 1];
	const char *name;

	list_above(above);
	while ((name = file_list_next(d))) {
		pid_t pid = (pid_t)atoi(name);
		char id[ID_SIZE];
		size_t i = 0;
		int fd;

		while (above[i] && above[i] != pid)
			i++;
		if (above[i] || !ours(name))
			continue;
		fd = pidfd_hold(pid);
		if ((fd >= 0 || errno == ENOSYS) && is_left(pid, id))
			fn(ctx, pid, fd, id);
		file_close(fd);
	}
	file_list_end(d);
}

static bool has_open(pid_t pid, const char *what)
{
	char path[64], target[64];
	bool found = false;
	const char *name;
	DIR *d;

	snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
	d = file_list(AT_FDCWD, path);
	while (!found && (name = file_list_next(d))) {
		ssize_t n =
		    readlinkat(dirfd(d), name, target, sizeof target - 1);

		target[n > 0 ? n : 0] = '\0';
		found = strcmp(target, what) == 0;
	}
	file_list_end(d);
	return found;
}

static void signal_one(void *ctx, pid_t pid, int pidfd, const char *id)
{
	struct search *s = ctx;

	if (strcmp(id, s->id) != 0)
		return;
	if (s->socket && s->pid != pid && (s->pid || !has_open(pid, s->socket)))
		return;
	s->pid = pid;
	s->count++;
	if (s->signo == SIGTERM) /* a stopped one must see it */
		pidfd_tell(pidfd, pid, SIGCONT);
	if (s->signo)
		pidfd_tell(pidfd, pid, s->signo);
}

/* Sends signo (0: none) to all that are there; returns how many. */
static int signal_all(struct search *s, int signo)
{
	s->signo = signo;
	s->count = 0;
	orphans_each(signal_one, s);
	return s->count;
}

static int end_all(struct search *s, int64_t grace_ms, struct err *err)
{
	int64_t now = clock_mono_ms();
	int64_t kill_at = now + (grace_ms > 0 ? grace_ms : 0);
	int found = signal_all(s, SIGTERM), left = found;

	while (left > 0 && now < kill_at + KILL_MS) {
		poll(NULL, 0, LOOK_MS);
		now = clock_mono_ms();
		left = signal_all(s, now < kill_at ? 0 : SIGKILL);
	}
	if (left > 0)
		return err_set(err, ERR_FAILED,
			       "%d processes of an earlier run will not end "
			       "(one is %d)",
			       left, (int)s->pid);
	return found;
}

int orphans_end(const char *id, int64_t grace_ms, struct err *err)
{
	struct search s = {.id = id};

	return end_all(&s, grace_ms, err);
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

pid_t orphans_server(const char *id, const char *path)
{
	char socket[48];
	struct search s = {.id = id, .socket = socket};

	if (listener(path, socket, sizeof socket))
		signal_all(&s, 0);
	return s.pid;
}

int orphans_end_server(const char *id, const char *path, int64_t grace_ms,
		       struct err *err)
{
	char socket[48];
	struct search s = {.id = id, .socket = socket};

	if (!listener(path, socket, sizeof socket))
		return 0;
	return end_all(&s, grace_ms, err) < 0 ? -1 : 0;
}
