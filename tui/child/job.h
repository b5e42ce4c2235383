/*
 * job.h - afw's own commands run as children, without waiting for them.
 */
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
	const char *out, *err; /* what it printed; borrowed */
	size_t out_len;
};
typedef void (*job_fn)(void *ctx, void *arg, const struct job_result *r);

struct job_request {
	char *const *argv;
	const char *dir;   /* or NULL */
	int dir_fd;	   /* the same, open; 0: by its name */
	const char *input; /* for its standard input, or NULL; copied */
	bool foreground;   /* it gets the terminal: only what it says on
			      standard error is captured, for the dashboard
			      would paint over it; no deadline, one at a
			      time */
	bool speaks; /* of one in the foreground: its standard error is the
			terminal's, too */
	bool reads; /* it changes nothing: that it is cut off does no harm */
	int64_t timeout_ms;
	job_fn done;		 /* called once, when it has ended */
	void *arg;		 /* handed to done */
	void (*drop)(void *arg); /* frees arg where done will not be called */
};

/* ctx is handed to each done. */
struct jobs *jobs_create(struct loop *loop, void *ctx);

/* Kills what runs in the background; drop is called instead of done. */
void jobs_destroy(struct jobs *jobs);

/* -1: could not be started (neither done nor drop is called). */
int jobs_start(struct jobs *jobs, const struct job_request *rq,
	       struct err *err);

/* To be called on SIGCHLD. */
void jobs_reap(struct jobs *jobs);

/* Sends signo to the job that has the terminal, if there is one. */
bool jobs_foreground_kill(struct jobs *jobs, int signo);

/* How many are at work, but for those that only read. */
int jobs_count(const struct jobs *jobs);

/* Ends those in the background that were started with arg; neither done nor
 * drop is called. */
void jobs_drop(struct jobs *jobs, const void *arg);

/* What one that failed said of it, in one line; to be freed. */
char *job_reason(const struct job_result *r);
/* The last line of text that says something; to be freed. */
char *job_last_line(const char *text);

#endif
