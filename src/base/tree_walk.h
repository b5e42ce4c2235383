/* tree_walk.h - down from a process to all below it; for src/base/tree*.c. */
#ifndef AFW_BASE_TREE_WALK_H
#define AFW_BASE_TREE_WALK_H

#include "base/process.h"
#include "base/tree.h"

/* False: it is not there, or no longer a child of parent's. */
typedef bool tree_visit_fn(void *ctx, pid_t pid, pid_t parent, bool helper);

/* Visits all below root but the spared, those nearest to it first. What is
 * below one for which visit() returned false is left out. */
void tree_walk(pid_t root, const struct tree_but *but, tree_visit_fn *visit,
	       void *ctx);

/* A living child of ours that /proc hides: hidepid hides what cannot be
 * traced, as a guard. */
bool tree_hides_child(pid_t pid, pid_t parent);

/* Whether pid is in a list that 0 ends, or that is NULL. */
bool tree_has(const pid_t *list, pid_t pid);

void tree_add_usage(struct tree_usage *to, const struct process *of);

#endif
