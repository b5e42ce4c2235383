/*
 * tree.h - the processes below us. The supervisor is a subreaper, so that
 * whatever a harness starts, forks twice or detaches stays its descendant
 * (prctl(2), PR_SET_CHILD_SUBREAPER).
 */
#ifndef AFW_SUPERVISOR_TREE_H
#define AFW_SUPERVISOR_TREE_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

struct tree_usage {
	int processes;
	int64_t cpu_ms; /* of the living and of those they waited for */
	int64_t rss_bytes;
};

/* Every descendant of root but those of spare (0: none): the signal is sent
 * (0: only counted). Returns how many there are. Reads /proc once. */
int tree_kill(pid_t root, pid_t spare, int signo);

void tree_measure(pid_t root, pid_t spare, struct tree_usage *out);

#endif
