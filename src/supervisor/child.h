/*
 * child.h - programs that the supervisor runs beside the harness: each with a
 * deadline, and never waited for but at the process's own end.
 */
#ifndef AFW_SUPERVISOR_CHILD_H
#define AFW_SUPERVISOR_CHILD_H

#include "base/err.h"
#include "supervisor/supervisor.h"

#define CHILD_MAX	 8 /* at once */
#define CHILD_OUTPUT_MAX 65536

struct child;

/* failed: how, in words; NULL: its exit code was 0. */
typedef void (*child_ended_fn)(void *ctx, const char *program,
			       const char *failed, const struct buf *output);

struct child_start {
	char *const *argv; /* looked up in PATH, run in / without a terminal */
	const char *input; /* its standard input */
	const int *fd;	   /* or all three that it gets; output is not kept */
	bool keep_output;  /* the first CHILD_OUTPUT_MAX bytes */
	int64_t deadline_ms; /* 0: none, until child_hurry() */
	child_ended_fn ended;
	void *ctx;
};

/* NULL with err where it cannot be started. The result is valid until ended()
 * is called. */
struct child *child_start(struct supervisor *sv, const struct child_start *st,
			  struct err *err);
/* The same: afw-worktree(8) does op, a request as status, on the session's own
 * worktree; its output is the answer. */
struct child *child_ask_worktree(struct supervisor *sv, const char *op,
				 int64_t deadline_ms, child_ended_fn ended,
				 void *ctx, struct err *err);

/* Its deadline is in so many ms, or earlier. */
void child_hurry(struct child *c, int64_t deadline_ms);
/* Kills it; ended() is not called. NULL does nothing. */
void child_drop(struct child *c);

/* A child was reaped: true where it was one of these. */
bool child_reaped(struct supervisor *sv, pid_t pid, int wait_status);
/* Those that run now; out ends with 0. */
void child_pids(const struct supervisor *sv, pid_t out[CHILD_MAX + 1]);

/*
 * Waits until all have ended, or are over their deadline and killed, or a
 * SIGTERM comes. SIGCHLD and SIGTERM must be blocked (loop_signals).
 */
void child_wait_all(struct supervisor *sv);

#endif
