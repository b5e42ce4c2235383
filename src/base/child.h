/*
 * child.h - programs that run beside us, on the loop: each has a deadline, and
 * nobody waits for it.
 */
#ifndef AFW_BASE_CHILD_H
#define AFW_BASE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/loop.h"
#include "base/spawn.h"

struct children; /* those that one owner runs */
struct child;

struct child_end {
	const char *program; /* argv[0] */
	int status;	     /* as from waitpid(2) */
	bool late;	     /* it was ended at its deadline */
	const char *failed;  /* how, in words; NULL: its exit code was 0 */
	const struct buf *out, *errors; /* what was kept */
	bool cut;			/* it had printed more */
};

/* The child is freed after this; it may start and drop others. */
typedef void (*child_ended_fn)(void *ctx, const struct child_end *end);

struct child_start {
	struct spawn spawn;  /* new_session: it leads the process group that
				signals go to */
	const char *input;   /* its standard input, copied; NULL: spawn.fd[0] */
	size_t keep_out;     /* bytes to keep of its standard output; 0:
				it writes to spawn.fd[1] */
	size_t keep_errors;  /* the same of its standard error */
	int64_t deadline_ms; /* 0: none, until child_hurry() */
	int64_t term_ms;     /* 0: at its deadline it is killed at once, with
				all below it; else SIGTERM, and term_ms later
				SIGKILL, for it or its process group alone */
	child_ended_fn ended;
	void *ctx;
};

/* At most max run at once. */
struct children *children_create(struct loop *loop, size_t max);
/* Ends those that still run, and does not wait; ended() is not called. NULL
 * does nothing. */
void children_destroy(struct children *cs);

/* Returns NULL with err and errno if it cannot be started. The result is valid
 * until ended() has returned. */
struct child *child_start(struct children *cs, const struct child_start *st,
			  struct err *err);
/* Moves its deadline forward, to ms from now. */
void child_hurry(struct child *c, int64_t ms);
/* Ends it as at its deadline; ended() is not called. NULL does nothing. */
void child_drop(struct child *c);
/* Sends signo to it, or to its process group. */
int child_signal(const struct child *c, int signo);

/* For an owner that reaps every child of this process: returns whether pid was
 * one of these. */
bool children_reaped(struct children *cs, pid_t pid, int status);
/* For one that does not: reaps these; to be called on SIGCHLD. */
void children_reap(struct children *cs);
/* Stores the processes, and a 0 behind them: out has room for max + 1. */
void children_pids(const struct children *cs, pid_t *out);

/*
 * Waits until all have ended, or were killed at their deadline, or a SIGTERM
 * comes. The loop does not run: what they print is not read meanwhile. SIGCHLD
 * and SIGTERM must be blocked (loop_signals).
 */
void children_wait(struct children *cs);

#endif
