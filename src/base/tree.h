/*
 * tree.h - the processes below one. Where that one is a subreaper, as the
 * supervisor is, whatever is started there, forks twice or detaches stays
 * its descendant (prctl(2), PR_SET_CHILD_SUBREAPER).
 */
#ifndef AFW_BASE_TREE_H
#define AFW_BASE_TREE_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

struct tree_usage {
	int processes;
	int64_t cpu_ms; /* of the living and of those they waited for */
	int64_t rss_bytes;
};

/* Whom of the descendants it is not about; NULL: nobody. */
struct tree_but {
	pid_t spare;	      /* it and all below it; 0: none */
	const pid_t *helpers; /* they alone, not what is below; 0 ends; NULL */
};

/* Every descendant of root: the signal is sent (0: only counted). Returns
 * how many there are. Reads /proc once. */
int tree_kill(pid_t root, const struct tree_but *but, int signo);

/* What /proc says now, for the usage of several trees. tree_usage() marks
 * in it: not for two threads. */
struct tree;

struct tree *tree_read(void);
void tree_destroy(struct tree *t); /* NULL is fine */
void tree_usage(struct tree *t, pid_t root, const struct tree_but *but,
		struct tree_usage *out);

/* The three in one. */
void tree_measure(pid_t root, const struct tree_but *but,
		  struct tree_usage *out);

#endif
