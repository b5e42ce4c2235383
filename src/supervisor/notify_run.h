/*
 * notify_run.h - programs that tell the user, run beside the supervisor:
 * a few at once, a few that wait, each with a deadline, never waited for.
 */
#ifndef AFW_SUPERVISOR_NOTIFY_RUN_H
#define AFW_SUPERVISOR_NOTIFY_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/loop.h"
#include "base/mem.h"

#define NOTIFY_RUN_MAX	       2     /* at once */
#define NOTIFY_RUN_QUEUE_MAX   8     /* that wait; more are left out */
#define NOTIFY_RUN_DEADLINE_MS 10000 /* then it is killed */

struct notify_run;

/* program: its name; why: a sentence. */
typedef void (*notify_run_failed_fn)(void *ctx, const char *program,
				     const char *why);

struct notify_run *notify_run_create(struct loop *loop,
				     notify_run_failed_fn failed, void *ctx);

/* argv is copied, looked up in PATH, run in / without a terminal. input (may
 * be NULL) is its standard input; what it prints is dropped. */
void notify_run_start(struct notify_run *r, const struct strv *argv,
		      const char *input);

/* A child was reaped: true where it was one of these. */
bool notify_run_reaped(struct notify_run *r, pid_t pid, int wait_status);

/* Those that run now, without an end mark; returns how many. */
size_t notify_run_pids(const struct notify_run *r, pid_t out[NOTIFY_RUN_MAX]);

/*
 * Waits until those that run have ended, or are over their deadline and
 * killed, or a SIGTERM comes; what waits is left out. SIGCHLD and SIGTERM
 * must be blocked (loop_signals). NULL does nothing.
 */
void notify_run_destroy(struct notify_run *r);

#endif
