/*
 * processes.c - the processes of sessions, from /proc.
 *
 * A process id may be reused: a pidfd keeps each process that is found, and a
 * parent that is still the parent after it was read did not change meanwhile.
 */
#include "session/live/processes.h"

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
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"
#include "session/disk/dirs.h"
#include "session/spec.h"

#define ENVIRON_MAX ((size_t)4 * 1024 * 1024)
#define ABOVE_MAX   64
#define POLL_MS	    20
#define KILL_MS	    5000
#define ID_SIZE	    65
#define LOOKS_MAX   10000
#define PROC_MAX    ((size_t)64 * 1024)

/* The processes to find, and the signal to send. */
struct search {
	const char *id;
	const char *socket; /* open in it, by its name in /proc; NULL: any */
	pid_t pid;	    /* the last one found; with socket, the listener */
	int signo, count;
};

/* Reads the id of the session from the process's environment. */
static bool read_mark(pid_t pid, char id[ID_SIZE])
{
	static const char name[] = "\0AF_SESSION_ID=";
	_buf_ struct buf env = {0};
	const char *found = NULL;
	char path[40];

	snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
	buf_add(&env, "", 1); /* in front of the first variable, too */
	if (file_read(AT_FDCWD, path, ENVIRON_MAX, &env, NULL) == 0)
		found = memmem(env.data, env.len, name, sizeof name - 1);
	if (found)
		snprintf(id, ID_SIZE, "%s", found + sizeof name - 1);
	return found;
}

/*
 * Returns whether the process is running, has the session's id in its
 * environment, and was started in that session: its first ancestor without the
 * id adopted it and is in another session of the kernel. A process that the
 * user's shell started with such a variable is in the kernel's session of that
 * shell.
 */
static bool is_left(pid_t pid, char id[ID_SIZE])
{
	struct process is, above;
	char other[ID_SIZE];

	if (!read_mark(pid, id) || !process_read(pid, &is) || is.zombie)
		return false;
	for (int i = 0; i < ABOVE_MAX && is.parent > 1; i++) {
		if (!process_read(is.parent, &above))
			return true; /* just gone, or another user's */
		if (!read_mark(above.pid, other) || strcmp(other, id) != 0)
			return above.session != is.session;
		is = above;
	}
	return true;
}

static bool is_own_process(int proc, const char *pid, uid_t uid)
{
	struct stat st;

	return isdigit((unsigned char)pid[0]) &&
	       fstatat(proc, pid, &st, 0) == 0 && st.st_uid == uid;
}

/* Lists this process, its parent, its parent's parent, ...; ends with 0. */
static void list_above(pid_t above[ABOVE_MAX + 1])
{
	struct process is = {.parent = getpid()};
	size_t n = 0;

	while (is.parent > 1 && n < ABOVE_MAX) {
		above[n++] = is.parent;
		if (!process_read(is.parent, &is))
			break;
	}
	above[n] = 0;
}

void processes_each(processes_fn fn, void *ctx)
{
	_dir_ DIR *d = file_list(AT_FDCWD, "/proc");
	pid_t above[ABOVE_MAX + 1];
	uid_t uid = geteuid();
	const char *name;

	list_above(above);
	while ((name = file_list_next(d))) {
		pid_t pid = (pid_t)atoi(name);
		char id[ID_SIZE];
		size_t i = 0;
		int fd;

		while (above[i] && above[i] != pid)
			i++;
		/* Most have no mark: it is read again once the process is held.
		 */
		if (above[i] || !is_own_process(dirfd(d), name, uid) ||
		    !read_mark(pid, id))
			continue;
		fd = process_open(pid);
		if ((fd >= 0 || errno == ENOSYS) && is_left(pid, id))
			fn(ctx, pid, fd, id);
		file_close(fd);
	}
}

static bool has_open(pid_t pid, const char *what)
{
	char path[64], target[64];
	bool found = false;
	const char *name;
	_dir_ DIR *d = NULL;

	snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
	d = file_list(AT_FDCWD, path);
	while (!found && (name = file_list_next(d))) {
		ssize_t n =
		    readlinkat(dirfd(d), name, target, sizeof target - 1);

		target[n > 0 ? n : 0] = '\0';
		found = strcmp(target, what) == 0;
	}
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
		process_signal(pidfd, pid, SIGCONT);
	if (s->signo)
		process_signal(pidfd, pid, s->signo);
}

/* Sends signo (0: none) to each process found; returns how many there are. */
static int signal_all(struct search *s, int signo)
{
	s->signo = signo;
	s->count = 0;
	processes_each(signal_one, s);
	return s->count;
}

static int end_all(struct search *s, int64_t grace_ms, struct err *err)
{
	int64_t now = clock_mono_ms();
	int64_t kill_at = now + (grace_ms > 0 ? grace_ms : 0);
	int found = signal_all(s, SIGTERM), left = found;

	while (left > 0 && now < kill_at + KILL_MS) {
		poll(NULL, 0, POLL_MS);
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

int processes_end(const char *id, int64_t grace_ms, struct err *err)
{
	struct search s = {.id = id};

	return end_all(&s, grace_ms, err);
}

/* -- servers --------------------------------------------------------------- */

/* Writes "socket:[inode]" of the listener on path (/proc/net/unix, proc(5)). */
static bool find_listener(const char *path, char *out, size_t size)
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

pid_t processes_find_server(const char *id, const char *path)
{
	char socket[48];
	struct search s = {.id = id, .socket = socket};

	if (find_listener(path, socket, sizeof socket))
		signal_all(&s, 0);
	return s.pid;
}

int processes_end_server(const char *id, const char *path, int64_t grace_ms,
			 struct err *err)
{
	char socket[48];
	struct search s = {.id = id, .socket = socket};

	if (!find_listener(path, socket, sizeof socket))
		return 0;
	return end_all(&s, grace_ms, err) < 0 ? -1 : 0;
}

/* -- ancestors ------------------------------------------------------------ */

static bool is_supervisor(const struct process *p)
{
	return p->pid == getpid() || strcmp(p->name, "afw-supervisor") == 0;
}

/* Walks up the parents to stop (0: to a supervisor). Returns its pid, 0 if
 * there is none, or -1. */
static pid_t find_ancestor(pid_t pid, pid_t stop)
{
	struct process is, above, again;

	for (int i = 0; i < LOOKS_MAX; i++) {
		bool seen;

		if (pid <= 0 || !process_read(pid, &is))
			return -1;
		if (is.parent == 0)
			return 0;
		seen = process_read(is.parent, &above);
		if (!process_read(pid, &again) || again.start != is.start)
			return -1;
		if (again.parent != is.parent)
			continue;
		if (stop ? is.parent == stop : seen && is_supervisor(&above))
			return is.parent;
		/* A hidden process (hidepid, proc(5)) is another user's, or
		 * one of our supervisors, which no process may inspect. */
		if (!seen)
			return !stop && kill(is.parent, 0) == 0 ? is.parent : 0;
		pid = is.parent;
	}
	return -1;
}

pid_t process_supervisor(pid_t pid)
{
	return find_ancestor(pid, 0);
}

int process_check_user(pid_t supervisor, struct err *err)
{
	if (supervisor == 0)
		return 0;
	if (supervisor < 0)
		return err_set(err, ERR_REFUSED,
			       "the calling process cannot be identified: it "
			       "has ended, or /proc does not show it");
	err_set(err, ERR_REFUSED,
		"what runs in a session may not do that (process %d started "
		"it)",
		(int)supervisor);
	return err_hint(err, "do it in a terminal of your own");
}

bool process_is_below(pid_t pid, pid_t above)
{
	return find_ancestor(pid, above) == above;
}

/* -- supervisors of deleted sessions -------------------------------------- */

static int read_proc(pid_t pid, const char *name, struct buf *out)
{
	char path[48];

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	return file_read(AT_FDCWD, path, PROC_MAX, out, NULL);
}

/* Whether its effective user is ours. The owner of its files in /proc is root,
 * because it cannot be dumped. */
static bool is_ours(pid_t pid)
{
	_buf_ struct buf text = {0};
	const char *at = NULL;
	unsigned uid = 0;

	if (read_proc(pid, "status", &text) == 0 && text.len > 0)
		at = strstr(text.data, "\nUid:");
	return at && sscanf(at, "\nUid: %*u %u", &uid) == 1 && uid == geteuid();
}

/* Returns the directory of the session that pid, a supervisor of this user,
 * runs, or NULL; to be freed. supervise.c starts it as "afw-supervisor run
 * DIRECTORY ...". */
static char *session_dir(pid_t pid)
{
	_buf_ struct buf line = {0};
	const char *run, *dir, *end;

	if (pid <= 0 || !is_ours(pid) || read_proc(pid, "cmdline", &line) < 0 ||
	    line.len == 0 || line.data[line.len - 1] != '\0')
		return NULL;
	end = line.data + line.len;
	run = line.data + strlen(line.data) + 1;
	dir = run < end ? run + strlen(run) + 1 : end;
	return dir < end && strcmp(run, "run") == 0 ? mem_strdup(dir) : NULL;
}

static bool is_supervisor_of(pid_t pid, const char *dir)
{
	_free_ char *other = session_dir(pid);

	return other && strcmp(other, dir) == 0;
}

/* Here, and for that process, which may have mounts of its own. Only root may
 * look at the latter. */
static bool is_gone(pid_t pid, const char *path)
{
	_free_ char *there = mem_printf("/proc/%d/root%s", (int)pid, path);

	return access(path, F_OK) < 0 && errno == ENOENT &&
	       access(there, F_OK) < 0 && (errno == ENOENT || errno == EACCES);
}

/* dir: DATA/sessions/ID. Its specification: while it was deleted, the
 * supervisor may have written another file there, which then keeps the
 * directory. */
static bool was_deleted(pid_t pid, const char *dir)
{
	static const char sessions[] = "/sessions/";
	size_t len = strlen(dir), tail = sizeof sessions - 1 + SPEC_ID_LEN;
	_free_ char *data = NULL, *ours = NULL,
		    *spec = file_join(dir, "spec.json");

	if (dir[0] != '/' || len <= tail ||
	    strncmp(dir + len - tail, sessions, sizeof sessions - 1) != 0)
		return false;
	data = mem_strndup(dir, len - tail);
	ours = dirs_data(NULL);
	return is_gone(pid, spec) &&
	       ((ours && strcmp(data, ours) == 0) || is_gone(pid, data));
}

static void check_process(pid_t pid, processes_orphan_fn *fn, void *ctx)
{
	struct process is;
	_close_ int fd = process_open(pid);
	_free_ char *dir = fd >= 0 || errno == ENOSYS ? session_dir(pid) : NULL;

	/* A child of it that has not executed its program yet has the same
	 * command line. */
	if (dir && process_read(pid, &is) && !is.zombie &&
	    strcmp(is.name, "afw-supervisor") == 0 &&
	    !is_supervisor_of(is.parent, dir) && was_deleted(pid, dir))
		fn(ctx, pid, fd, dir);
}

void processes_each_orphan(processes_orphan_fn *fn, void *ctx)
{
	_dir_ DIR *d = file_list(AT_FDCWD, "/proc");
	const char *name;

	while ((name = file_list_next(d)))
		if (isdigit((unsigned char)name[0]))
			check_process((pid_t)atoi(name), fn, ctx);
}
