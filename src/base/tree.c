/*
 * tree.c - measures the trees of several processes, in one pass over /proc.
 *
 * It reads pid and parent of every process, then marks descendants until it
 * finds no new one.
 */
#include "base/tree.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/tree_walk.h"

struct proc {
	struct process is;
	bool below, helper;
};

struct tree {
	struct proc *all;
	size_t n;
};

static struct proc *read_all(size_t *count)
{
	DIR *d = file_list(AT_FDCWD, "/proc");
	struct proc *all = NULL;
	const char *name;
	size_t n = 0;

	while ((name = file_list_next(d))) {
		if (!isdigit((unsigned char)name[0]))
			continue;
		all = mem_grow(all, n, sizeof *all);
		if (process_read((pid_t)atoi(name), &all[n].is))
			n++;
	}
	file_list_end(d);
	*count = n;
	return all;
}

static bool is_below(const struct proc *all, size_t n, pid_t pid)
{
	for (size_t i = 0; i < n; i++)
		if (all[i].is.pid == pid)
			return all[i].below;
	return false;
}

static void mark_below(struct proc *all, size_t n, pid_t root,
		       const struct tree_except *except)
{
	static const struct tree_except nobody;
	pid_t *hidden = root == getpid() ? tree_children() : NULL;
	bool more = true;

	if (!except)
		except = &nobody;
	for (size_t i = 0; i < n; i++) {
		all[i].below = false;
		all[i].helper = tree_has(except->helpers, all[i].is.pid);
	}
	while (more) {
		more = false;
		for (size_t i = 0; i < n; i++) {
			struct proc *p = &all[i];

			if (p->below || p->is.pid == root ||
			    tree_has(except->spared, p->is.pid))
				continue;
			if (p->is.parent == root ||
			    p->is.pid == except->known ||
			    is_below(all, n, p->is.parent) ||
			    (tree_has(hidden, p->is.parent) &&
			     !tree_has(except->spared, p->is.parent))) {
				p->below = true;
				more = true;
			}
		}
	}
	free(hidden);
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

void tree_usage(struct tree *t, pid_t root, const struct tree_except *except,
		struct tree_usage *out)
{
	*out = (struct tree_usage){0};
	mark_below(t->all, t->n, root, except);
	for (size_t i = 0; i < t->n; i++) {
		const struct proc *p = &t->all[i];

		if (p->below && !p->helper)
			tree_add_usage(out, &p->is);
	}
}

static pid_t parent_of(const struct tree *t, pid_t pid)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->all[i].is.pid == pid)
			return t->all[i].is.parent;
	return 0;
}

void tree_between(const struct tree *t, pid_t root, pid_t pid, pid_t *out,
		  size_t max)
{
	size_t n = 0;

	/* Bounded: entries read one after the other may form a cycle. */
	while (pid > 0 && n < max && (pid = parent_of(t, pid)) != root)
		out[n++] = pid;
	out[pid == root && pid > 0 && n < max ? n : 0] = 0;
}
