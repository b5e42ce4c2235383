/*
 * tree_signal.c - signals to the processes below one.
 *
 * They are found parent by parent, in the kernel's lists of children
 * (proc(5), /proc/pid/task/tid/children), and signalled at once. A look at
 * all of /proc first takes longer than a process lives that forks the next
 * one and exits.
 */
#include "base/tree.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"

struct pids {
	pid_t *v;
	size_t n;
};

static void add(struct pids *l, pid_t pid)
{
	l->v = mem_grow(l->v, l->n, sizeof *l->v);
	l->v[l->n++] = pid;
}

/* For a process whose list of children cannot be read: on a kernel without
 * such lists (CONFIG_PROC_CHILDREN), or because /proc hides it (hidepid). */
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

static bool is_among(const pid_t *list, pid_t pid)
{
	for (size_t i = 0; list && list[i]; i++)
		if (list[i] == pid)
			return true;
	return false;
}

/* The kernel lets nobody fork his way out of a group that is killed. In our
 * own session it may be anybody's; in one that was made below us all are below
 * us, and not helpers where it is not a helper's. */
static void kill_group(pid_t pid, const struct tree_but *but)
{
	pid_t group = getpgid(pid);

	if (group > 1 && getsid(pid) != getsid(0) &&
	    !is_among(but->spared, group) && !is_among(but->helpers, group))
		kill(-group, SIGKILL);
}

/* hidepid also hides our own child if it cannot be traced, as a guard. */
static bool is_hidden_child(pid_t pid, pid_t parent)
{
	siginfo_t ended = {0};

	return parent == getpid() &&
	       waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT) ==
		   0 &&
	       ended.si_pid == 0;
}

/* True where it lives, still as a child of parent's. It is held while it is
 * looked at: the signal goes to no later one with its number. */
static bool tell(pid_t pid, pid_t parent, const struct tree_but *but, int signo,
		 int word)
{
	struct process is;
	bool lives;
	int fd;

	/* A child of ours, dead or alive, keeps its number until we reap it:
	 * it need not be looked at first, which can be too long. */
	if (signo == SIGKILL && parent == getpid()) {
		kill_group(pid, but);
		kill(pid, SIGKILL);
	}
	fd = process_hold(pid);
	lives = (fd >= 0 || errno == ENOSYS) &&
		(process_read(pid, &is) ? !is.zombie && is.parent == parent
					: is_hidden_child(pid, parent));
	if (lives && signo == SIGKILL)
		kill_group(pid, but);
	if (lives && signo)
		process_signal_word(fd, pid, signo, word);
	file_close(fd);
	return lives;
}

static int signal_below(pid_t root, const struct tree_but *but, int signo,
			int word)
{
	static const struct tree_but nobody;
	struct pids all = {0};
	int count = 0;

	if (!but)
		but = &nobody;
	add(&all, root);
	for (size_t at = 0; at < all.n; at++) {
		size_t first = all.n, n = first;

		/* The last one came last: it is the likeliest to be there. */
		add_children(all.v[at], &all);
		for (size_t i = all.n; i-- > first;) {
			pid_t pid = all.v[i];
			bool helper = is_among(but->helpers, pid);

			if (is_among(but->spared, pid) ||
			    !tell(pid, all.v[at], but, helper ? 0 : signo,
				  word))
				all.v[i] = 0;
			count += all.v[i] && !helper;
		}
		for (size_t i = first; i < all.n; i++)
			if (all.v[i])
				all.v[n++] = all.v[i];
		all.n = n;
	}
	free(all.v);
	return count;
}

int tree_kill(pid_t root, const struct tree_but *but, int signo)
{
	return signal_below(root, but, signo, 0);
}

int tree_stop(pid_t root, const struct tree_but *but, int signo)
{
	return signal_below(root, but, signo, TREE_STOP_WORD);
}

int tree_storm(pid_t root, const struct tree_but *but)
{
	int64_t end = clock_mono_ms() + TREE_STORM_MS;
	int left;

	do
		left = tree_kill(root, but, SIGKILL);
	while (left > 0 && clock_mono_ms() < end);
	return left;
}

bool tree_is_alone(const struct tree_but *but)
{
	static const struct tree_but nobody;
	struct pids mine = {0};
	bool alone = true;

	if (!but)
		but = &nobody;
	add_children(getpid(), &mine);
	for (size_t i = 0; i < mine.n; i++)
		alone &= is_among(but->spared, mine.v[i]) ||
			 is_among(but->helpers, mine.v[i]);
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
