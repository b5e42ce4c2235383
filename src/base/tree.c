/*
 * tree.c - the processes below one, from /proc.
 *
 * One pass reads pid and parent of every process; then the descendants are
 * marked until nothing new is found. Signalling is by pid right after, and
 * repeated by the caller until none is left: a process that forks meanwhile
 * is found in the next round.
 */
#include "base/tree.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

struct proc {
	pid_t pid, parent;
	bool below, zombie, helper;
	int64_t ticks;
	int64_t rss_pages;
};

/* proc(5), /proc/pid/stat: the name in (2) may hold anything. */
static bool read_stat(const char *pid, struct proc *out)
{
	char path[64], text[1024], *p;
	long long v[24] = {0};
	ssize_t n;
	char kind;
	int fd;

	snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof text - 1);
	close(fd);
	if (n <= 0)
		return false;
	text[n] = '\0';
	p = strrchr(text, ')');
	if (!p || p[1] != ' ')
		return false;
	kind = p[2];
	p += 3;
	for (int i = 4; i <= 24 && *p; i++) /* fields 4 .. 24 */
		v[i - 1] = strtoll(p, &p, 10);
	*out = (struct proc){.pid = (pid_t)atoi(pid),
			     .parent = (pid_t)v[3],
			     .zombie = kind == 'Z' || kind == 'X',
			     .ticks = v[13] + v[14] + v[15] + v[16],
			     .rss_pages = v[23]};
	return true;
}

struct tree {
	struct proc *all;
	size_t n;
};

static struct proc *read_all(size_t *count)
{
	struct proc *all = NULL;
	size_t n = 0, cap = 0;
	struct dirent *e;
	DIR *d = opendir("/proc");

	while (d && (e = readdir(d))) {
		if (!isdigit((unsigned char)e->d_name[0]))
			continue;
		if (n == cap) {
			cap = cap ? 2 * cap : 256;
			all = mem_realloc(all, cap * sizeof *all);
		}
		if (read_stat(e->d_name, &all[n]))
			n++;
	}
	if (d)
		closedir(d);
	*count = n;
	return all;
}

static bool is_below(const struct proc *all, size_t n, pid_t pid)
{
	for (size_t i = 0; i < n; i++)
		if (all[i].pid == pid)
			return all[i].below;
	return false;
}

static bool is_among(const pid_t *list, pid_t pid)
{
	for (size_t i = 0; list && list[i]; i++)
		if (list[i] == pid)
			return true;
	return false;
}

static void mark_below(struct proc *all, size_t n, pid_t root,
		       const struct tree_but *but)
{
	static const struct tree_but nobody;
	bool more = true;

	if (!but)
		but = &nobody;
	for (size_t i = 0; i < n; i++) {
		all[i].below = false;
		all[i].helper = is_among(but->helpers, all[i].pid);
	}
	while (more) {
		more = false;
		for (size_t i = 0; i < n; i++) {
			struct proc *p = &all[i];

			if (p->below || p->pid == root ||
			    is_among(but->spared, p->pid))
				continue;
			if (p->parent == root || is_below(all, n, p->parent)) {
				p->below = true;
				more = true;
			}
		}
	}
}

static void tell(pid_t pid, int signo, int word)
{
	union sigval value = {.sival_int = word};

	/* Where too many such signals are pending it goes without. */
	if (word == 0 || (sigqueue(pid, signo, value) < 0 && errno == EAGAIN))
		kill(pid, signo);
}

static int signal_below(pid_t root, const struct tree_but *but, int signo,
			int word)
{
	size_t n;
	struct proc *all = read_all(&n);
	int count = 0;

	mark_below(all, n, root, but);
	for (size_t i = 0; i < n; i++) {
		if (!all[i].below || all[i].zombie || all[i].helper)
			continue;
		count++;
		if (signo)
			tell(all[i].pid, signo, word);
	}
	free(all);
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

size_t tree_pids(pid_t root, pid_t *out, size_t max)
{
	size_t n, count = 0;
	struct proc *all = read_all(&n);

	if (max > 0)
		out[count++] = root;
	/* Level by level: the children of what was found before. */
	for (size_t at = 0; at < count; at++)
		for (size_t i = 0; i < n && count < max; i++)
			if (all[i].parent == out[at] && all[i].pid != root &&
			    !all[i].zombie)
				out[count++] = all[i].pid;
	free(all);
	return count;
}

struct tree *tree_read(void)
{
	struct tree *t = mem_alloc(sizeof *t);

	t->all = read_all(&t->n);
	return t;
}

void tree_destroy(struct tree *t)
{
	if (!t)
		return;
	free(t->all);
	free(t);
}

void tree_usage(struct tree *t, pid_t root, const struct tree_but *but,
		struct tree_usage *out)
{
	int64_t hz = sysconf(_SC_CLK_TCK), page = sysconf(_SC_PAGESIZE);

	*out = (struct tree_usage){0};
	mark_below(t->all, t->n, root, but);
	for (size_t i = 0; i < t->n; i++) {
		const struct proc *p = &t->all[i];

		if (!p->below || p->helper)
			continue;
		out->processes += !p->zombie;
		out->cpu_ms += p->ticks * 1000 / hz;
		out->rss_bytes += p->rss_pages * page;
	}
}

static pid_t parent_of(const struct tree *t, pid_t pid)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->all[i].pid == pid)
			return t->all[i].parent;
	return 0;
}

void tree_between(const struct tree *t, pid_t root, pid_t pid, pid_t *out,
		  size_t max)
{
	size_t n = 0;

	/* Bounded: what was read one by one may hold a circle. */
	while (pid > 0 && n < max && (pid = parent_of(t, pid)) != root)
		out[n++] = pid;
	out[pid == root && pid > 0 && n < max ? n : 0] = 0;
}

void tree_measure(pid_t root, const struct tree_but *but,
		  struct tree_usage *out)
{
	struct tree *t = tree_read();

	tree_usage(t, root, but, out);
	tree_destroy(t);
}
