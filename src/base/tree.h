/*
 * tree.h - the processes below one. Where that one is a subreaper, as the
 * supervisor is, whatever is started there, forks twice or detaches stays
 * its descendant (prctl(2), PR_SET_CHILD_SUBREAPER).
 */
#ifndef AFW_BASE_TREE_H
#define AFW_BASE_TREE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct tree_usage {
	int processes;
	int64_t cpu_ms; /* of the living and of those they waited for */
	int64_t rss_bytes;
};

/* Whom of the descendants it is not about; NULL: nobody. */
struct tree_but {
	const pid_t *spared;  /* they and all below them; 0 ends; NULL */
	const pid_t *helpers; /* they alone, not what is below; 0 ends; NULL */
	pid_t known; /* below root, though /proc may hide its parent (hidepid);
			0: none */
};

/*
 * Every descendant of root, the nearest to it first: the signal is sent (0:
 * only counted) as soon as he is found. Returns how many there are; who is
 * forked just then may be missed. KILL goes to their process groups, too.
 */
int tree_kill(pid_t root, const struct tree_but *but, int signo);

/*
 * The same with a word (sigqueue(3)), by which a supervisor among them knows
 * that it is stopped with what it was started in, and not by whoever tells
 * all processes to end because the machine goes down.
 */
#define TREE_STOP_WORD 0x61667701
int tree_stop(pid_t root, const struct tree_but *but, int signo);

/*
 * Kills all of them, also who forks faster than he is found, over and over,
 * for TREE_STORM_MS at most. Returns how many were left.
 */
#define TREE_STORM_MS 20
int tree_storm(pid_t root, const struct tree_but *but);

/*
 * True where this process, a subreaper, has no child but those of but, a
 * zombie neither: then nothing is left below it but what is below them. That
 * is the kernel's word: only we can take a child off that list.
 */
bool tree_is_alone(const struct tree_but *but);

/* The children of this process, 0 ends; to be freed. */
pid_t *tree_children(void);

/* What /proc says now, for the usage of several trees. tree_usage() marks
 * in it: not for two threads. */
struct tree;

struct tree *tree_read(void);
void tree_destroy(struct tree *t); /* NULL is fine */
void tree_usage(struct tree *t, pid_t root, const struct tree_but *but,
		struct tree_usage *out);

/* Who stands between the two: the parents of pid that are below root, at
 * most max - 1 of them and a 0. None where pid is not below root. */
void tree_between(const struct tree *t, pid_t root, pid_t pid, pid_t *out,
		  size_t max);

/* Of one tree, from its root down: what else runs does not matter. known is
 * not looked at. */
void tree_measure(pid_t root, const struct tree_but *but,
		  struct tree_usage *out);

#endif
