/* tree_walk.h - visits all processes below one; for src/base/tree*.c. */
#ifndef AFW_BASE_TREE_WALK_H
#define AFW_BASE_TREE_WALK_H

#include "base/tree.h"

/* Returns false if pid has ended, or is no longer a child of parent. */
typedef bool tree_visit_fn(void *ctx, pid_t pid, pid_t parent, bool helper);

/* Visits all processes below root except the spared ones, the nearest first.
 * Leaves out those below a process for which visit() returned false. */
void tree_walk(pid_t root, const struct tree_except *except,
	       tree_visit_fn *visit, void *ctx);

/* True for a running child that /proc hides: hidepid hides processes that
 * cannot be traced, such as a guard. */
bool tree_hides_child(pid_t pid, pid_t parent);

/* True if pid is in list, which 0 ends; list may be NULL. */
bool tree_has(const pid_t *list, pid_t pid);

#endif
