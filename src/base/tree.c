/*
 * tree.c - visits, measures and signals all processes below one.
 *
 * They are found parent by parent, in the kernel's lists of children (proc(5),
 * /proc/pid/task/tid/children), and visited at once. Reading all of /proc first
 * takes longer than a process needs to fork the next one and exit, and costs
 * each supervisor more with every session.
 */
#include "base/tree.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"

static const struct tree_except nobody;

struct pids {
	pid_t *v;
	size_t n;
};

static void add(struct pids *l, pid_t pid)
{
	l->v = mem_grow(l->v, l->n, sizeof *l->v);
	l->v[l->n++] = pid;
}

/* Searches /proc for the children of a process without a readable list: on a
 * kernel without such lists (CONFIG_PROC_CHILDREN), or because /proc hides it
 * (hidepid). */
static void search_children(pid_t pid, struct pids *l)
{
	DIR *d = file_list(AT_FDCWD, "/proc");
	struct process is;
	const char *name;

	while ((name = file_list_next(d)))
		if (isdigit((unsigned char)name[0]) &&
		    process_read((pid_t)atoi(name), &is) && is.parent == pid)
			add(l, is.pid);
	file_list_end(d);
}

static void add_children(pid_t pid, struct pids *l)
{
	char path[64], *p, *end;
	struct buf text = {0};
	const char *name;
	ssize_t n;
	DIR *d;
	int fd;

	if (access("/proc/thread-self/children", F_OK) < 0) {
		search_children(pid, l);
		return;
	}
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	d = file_list(AT_FDCWD, path);
	if (!d && kill(pid, 0) == 0)
		search_children(pid, l);
	while ((name = file_list_next(d))) {
		snprintf(path, sizeof path, "%.20s/children", name);
		fd = openat(dirfd(d), path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		while ((n = read(fd, buf_room(&text, 4096), 4095)) > 0)
			text.len += (size_t)n;
		close(fd);
		buf_addc(&text, ' ');
	}
	file_list_end(d);
	for (p = text.data; p && *p; p = end) {
		pid_t child = (pid_t)strtol(p, &end, 10);

		if (end == p)
			break;
		add(l, child);
		end += *end == ' ';
	}
	buf_finish(&text);
}

/* list: 0 ends it; NULL: it is empty. */
static bool has(const pid_t *list, pid_t pid)
{
	for (size_t i = 0; list && list[i]; i++)
		if (list[i] == pid)
			return true;
	return false;
}

/* True for a running child of ours that /proc hides: hidepid hides processes
 * that cannot be traced, such as a guard. */
static bool hides_child(pid_t pid, pid_t parent)
{
	siginfo_t ended = {0};

	return parent == getpid() &&
	       waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT) ==
		   0 &&
	       ended.si_pid == 0;
}

/* Returns false if pid has ended, or is no longer a child of parent. */
typedef bool visit_fn(void *ctx, pid_t pid, pid_t parent, bool helper);

/* Visits all processes below root except the spared ones, the nearest first.
 * Leaves out those below a process for which visit() returned false. */
static void walk(pid_t root, const struct tree_except *except, visit_fn *visit,
		 void *ctx)
{
	struct pids all = {0};

	if (!except)
		except = &nobody;
	add(&all, root);
	for (size_t at = 0; at < all.n; at++) {
		size_t first = all.n, n = first;

		/* The newest is the likeliest to be still running. */
		add_children(all.v[at], &all);
		for (size_t i = all.n; i-- > first;) {
			pid_t pid = all.v[i];

			if (has(except->spared, pid) ||
			    !visit(ctx, pid, all.v[at],
				   has(except->helpers, pid)))
				all.v[i] = 0;
		}
		for (size_t i = first; i < all.n; i++)
			if (all.v[i])
				all.v[n++] = all.v[i];
		all.n = n;
	}
	free(all.v);
}

void tree_add_usage(struct tree_usage *to, const struct process *of)
{
	to->processes += !of->zombie;
	to->cpu_ms += of->ticks * 1000 / sysconf(_SC_CLK_TCK);
	to->rss_bytes += of->rss_pages * sysconf(_SC_PAGESIZE);
}

static bool add_usage(void *ctx, pid_t pid, pid_t parent, bool helper)
{
	struct tree_usage *out = ctx;
	struct process is;

	if (!process_read(pid, &is))
		return hides_child(pid, parent);
	if (is.parent == parent && !helper)
		tree_add_usage(out, &is);
	return is.parent == parent;
}

void tree_measure(pid_t root, const struct tree_except *except,
		  struct tree_usage *to)
{
	walk(root, except, add_usage, to);
}

bool tree_is_alone(const struct tree_except *except)
{
	struct pids mine = {0};
	bool alone = true;

	if (!except)
		except = &nobody;
	add_children(getpid(), &mine);
	for (size_t i = 0; i < mine.n; i++)
		alone &= has(except->spared, mine.v[i]) ||
			 has(except->helpers, mine.v[i]);
	free(mine.v);
	return alone;
}

pid_t *tree_children(void)
{
	struct pids mine = {0};

	add_children(getpid(), &mine);
	add(&mine, 0);
	return mine.v;
}

/* -- signals --------------------------------------------------------------- */

struct signalled {
	const struct tree_except *except;
	int signo, value;
	int count;
};

/* Kills a whole group, which no process can escape by forking. Not a group of
 * our own session, which may have other processes; a session made below us has
 * only our descendants, and no helpers unless it is a helper's. */
static void kill_group(pid_t pid, const struct tree_except *except)
{
	pid_t group = getpgid(pid);

	if (group > 1 && getsid(pid) != getsid(0) &&
	    !has(except->spared, group) && !has(except->helpers, group))
		kill(-group, SIGKILL);
}

/* Signals pid if it is still running as a child of parent. A pidfd ensures that
 * the signal reaches no later process with its number. */
static bool signal_process(pid_t pid, pid_t parent,
			   const struct tree_except *except, int signo,
			   int value)
{
	struct process is;
	bool running;
	int fd;

	/* Our own child keeps its number until we reap it: it need not be
	 * checked first, which can take too long. */
	if (signo == SIGKILL && parent == getpid()) {
		kill_group(pid, except);
		kill(pid, SIGKILL);
	}
	fd = process_open(pid);
	running = (fd >= 0 || errno == ENOSYS) &&
		  (process_read(pid, &is) ? !is.zombie && is.parent == parent
					  : hides_child(pid, parent));
	if (running && signo == SIGKILL)
		kill_group(pid, except);
	if (running && signo &&
	    (signo != SIGHUP || process_ignores(pid, SIGTERM)))
		process_signal_value(fd, pid, signo, value);
	file_close(fd);
	return running;
}

static bool visit(void *ctx, pid_t pid, pid_t parent, bool helper)
{
	struct signalled *s = ctx;
	bool running = signal_process(pid, parent, s->except,
				      helper ? 0 : s->signo, s->value);

	s->count += running && !helper;
	return running;
}

static int signal_below(pid_t root, const struct tree_except *except, int signo,
			int value)
{
	struct signalled s = {except ? except : &nobody, signo, value, 0};

	walk(root, s.except, visit, &s);
	return s.count;
}

int tree_kill(pid_t root, const struct tree_except *except, int signo)
{
	return signal_below(root, except, signo, 0);
}

int tree_stop(pid_t root, const struct tree_except *except, int signo)
{
	return signal_below(root, except, signo, TREE_STOP_VALUE);
}

int tree_kill_all(pid_t root, const struct tree_except *except)
{
	int64_t end = clock_mono_ms() + TREE_KILL_ALL_MS;
	int left;

	do
		left = tree_kill(root, except, SIGKILL);
	while (left > 0 && clock_mono_ms() < end);
	return left;
}
