/*
 * tree.h - the processes below one, its tree. If that one is a subreaper, as
 * the supervisor is, processes that fork twice or detach stay its descendants
 * (prctl(2), PR_SET_CHILD_SUBREAPER).
 */
#ifndef AFW_BASE_TREE_H
#define AFW_BASE_TREE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/process.h"

struct tree_usage {
	int processes;
	int64_t
	    cpu_ms; /* of the processes and of the children they waited for */
	int64_t rss_bytes;
};

/* The descendants to leave out; NULL: none. */
struct tree_except {
	const pid_t
	    *spared; /* with all their descendants; 0 ends; may be NULL */
	const pid_t
	    *helpers; /* without their descendants; 0 ends; may be NULL */
};

/*
 * Signals every descendant of root, the nearest first, as soon as it is found
 * (0: only counts). Returns how many there are; a process forked meanwhile may
 * be missed. KILL goes to their process groups, too; HUP only to those that
 * ignore TERM, such as interactive shells: the others are handling a TERM.
 */
int tree_kill(pid_t root, const struct tree_except *except, int signo);

/*
 * The same with a number (sigqueue(3)), by which a supervisor among them knows
 * that the session around it is being stopped, and not the whole machine.
 */
#define TREE_STOP_VALUE 0x61667701
int tree_stop(pid_t root, const struct tree_except *except, int signo);

/*
 * Kills all of them repeatedly, for at most TREE_KILL_ALL_MS, also processes
 * that fork faster than they are found. Returns how many were left.
 */
#define TREE_KILL_ALL_MS 20
int tree_kill_all(pid_t root, const struct tree_except *except);

/*
 * True if this process, a subreaper, has no child except those of except, not
 * even a zombie: then only their descendants are left below it. The kernel's
 * list is certain: only we can reap a child.
 */
bool tree_is_alone(const struct tree_except *except);

/* Returns the children of this process, 0 ends; to be freed. */
pid_t *tree_children(void);

/* Add the usage of all descendants of root, or of one process, to *to. */
void tree_measure(pid_t root, const struct tree_except *except,
		  struct tree_usage *to);
void tree_add_usage(struct tree_usage *to, const struct process *of);

#endif
