/* workers.h - two to four threads that do one job, while the caller's thread
 * writes progress and notices signals. */
#ifndef AFW_WORKTREES_GIT_WORKERS_H
#define AFW_WORKTREES_GIT_WORKERS_H

#include <pthread.h>
#include <stdatomic.h>

#include "worktrees/output.h"

/* Begins as {.out, .what, .total, .lock = PTHREAD_MUTEX_INITIALIZER}. */
struct workers {
	struct output *out;
	const char *what;     /* for progress: "checkout" */
	size_t total;	      /* to be done; 0: unknown */
	atomic_size_t done;   /* counted by the threads */
	atomic_bool stop;     /* one has failed: the others end soon */
	pthread_mutex_t lock; /* for err, and what the job shares */
	struct err err;
};

/* Makes the first err that of the job, and ends the others. Any thread. */
void workers_fail(struct workers *w, const struct err *err);

/* Runs work(job) in each thread, and waits for all. If the caller should stop,
 * it fails as a thread would. */
int workers_run(struct workers *w, void *(*work)(void *job), void *job,
		struct err *err);

#endif
