/*
 * child.h - runs child programs on the loop, each with a deadline, without
 * blocking.
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

struct children; /* the children of one owner */
struct child;

struct child_end {
	const char *program; /* argv[0] */
	int status;	     /* as from waitpid(2) */
	bool late;	     /* it was killed at its deadline */
	const char
	    *failed; /* how it failed, in words; NULL: its exit code was 0 */
	const struct buf *out, *errors; /* the output that was kept */
	bool cut;			/* its output was longer */
};

/* Called when a child has ended, before it is freed; may start and drop
 * others. */
typedef void (*child_ended_fn)(void *ctx, const struct child_end *end);

struct child_start {
	struct spawn spawn;  /* new_session: it leads the process group that
				signals go to */
	const char *input;   /* its standard input, copied; NULL: spawn.fd[0] */
	size_t keep_out;     /* bytes to keep of its standard output; 0:
				it writes to spawn.fd[1] */
	size_t keep_errors;  /* the same of its standard error */
	int64_t deadline_ms; /* 0: none, until child_hurry() */
	int64_t term_ms; /* 0: at its deadline it is killed at once, with all
			    its descendants; else SIGTERM, and term_ms later
			    SIGKILL, to it or its process group only */
	child_ended_fn ended;
	/* called with all output so far, when there is more; or NULL */
	void (*printed)(void *ctx, const struct buf *out);
	void *ctx;
};

/* Returns an empty set; at most max run at once. */
struct children *children_create(struct loop *loop, size_t max);
/* Kills the children that are still running, without waiting; ended() is not
 * called. cs may be NULL. */
void children_destroy(struct children *cs);

/* Starts a child; valid until ended() has returned. NULL with err and errno if
 * it cannot be started. */
struct child *child_start(struct children *cs, const struct child_start *st,
			  struct err *err);
/* Moves its deadline forward, to ms from now. */
void child_hurry(struct child *c, int64_t ms);
/* Kills it as at its deadline; ended() is not called. c may be NULL. */
void child_drop(struct child *c);
/* Sends signo to it, or to its process group. */
int child_signal(const struct child *c, int signo);

/* For an owner that reaps every child of this process: handles pid's end and
 * returns true if pid was one of these. */
bool children_reaped(struct children *cs, pid_t pid, int status);
/* For other owners: reaps only these; to be called on SIGCHLD. */
void children_reap(struct children *cs);
/* Stores the pids, then a 0: out has room for max + 1. */
void children_pids(const struct children *cs, pid_t *out);

/*
 * Blocks until all have ended, or were killed at their deadline, or a SIGTERM
 * comes. The loop does not run: their output is not read meanwhile. SIGCHLD and
 * SIGTERM must be blocked (loop_signals).
 */
void children_wait(struct children *cs);

#endif
