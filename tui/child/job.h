/* job.h - runs afw's commands as children, without blocking. */
#ifndef AFW_TUI_CHILD_JOB_H
#define AFW_TUI_CHILD_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/loop.h"

#define JOBS_MAX       16
#define JOB_OUTPUT_MAX (4 * 1024 * 1024) /* bytes kept of each stream */

struct jobs;

struct job_result {
	int exit_code; /* 128 + n for a signal */
	bool timed_out;
	const char *out, *err; /* its output; borrowed */
	size_t out_len;
};
typedef void (*job_fn)(void *ctx, void *arg, const struct job_result *r);

struct job_request {
	char *const *argv;
	const char *dir;   /* or NULL */
	int dir_fd;	   /* the same directory, open; 0: use dir */
	const char *input; /* for standard input, or NULL; copied */
	/* It gets the terminal. Only its standard error is captured, because
	 * the dashboard would paint over it. It has no deadline, and there can
	 * be only one. */
	bool foreground;
	/* in the foreground: its standard error is the terminal too */
	bool speaks;
	/* it changes nothing, and can be interrupted without harm */
	bool reads;
	int64_t timeout_ms;
	/* called with all output so far, when there is more; or NULL */
	void (*printed)(void *ctx, void *arg, const char *out);
	job_fn done;		 /* called once, when it has ended */
	void *arg;		 /* passed to done */
	void (*drop)(void *arg); /* frees arg if done will not be called */
};

/* ctx is passed to each done. */
struct jobs *jobs_create(struct loop *loop, void *ctx);

/* Kills the jobs in the background; calls drop instead of done. */
void jobs_destroy(struct jobs *jobs);

/* Starts a job. -1: it could not be started, and neither done nor drop is
 * called. */
int jobs_start(struct jobs *jobs, const struct job_request *rq,
	       struct err *err);

/* Call it on SIGCHLD. */
void jobs_reap(struct jobs *jobs);

/* Sends signo to the job that has the terminal; returns whether there is
 * one. */
bool jobs_foreground_kill(struct jobs *jobs, int signo);

/* Returns the number of running jobs, without those that only read. */
int jobs_count(const struct jobs *jobs);

/* Kills the background jobs that were started with arg; calls neither done nor
 * drop. */
void jobs_drop(struct jobs *jobs, const void *arg);

/* Returns in one line why a job failed, for the caller to free. */
char *job_reason(const struct job_result *r);
/* Returns the last line of text that is not empty, for the caller to free. */
char *job_last_line(const char *text);

#endif
