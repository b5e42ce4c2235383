/* workers.c - runs and joins threads. struct output is used by one thread
 * alone, which therefore does not work itself. */
#include "worktrees/git/workers.h"

#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define MAX_THREADS   4
#define PROGRESS_DONE 500 /* at once, if there is more to do */
#define PROGRESS_MS   300
#define TICK_MS	      50

void workers_fail(struct workers *w, const struct err *err)
{
	pthread_mutex_lock(&w->lock);
	if (!atomic_exchange(&w->stop, true))
		w->err = *err;
	pthread_mutex_unlock(&w->lock);
}

/* Waits for a thread; writes progress and checks for signals meanwhile. */
static void join(struct workers *w, pthread_t thread, int64_t began)
{
	struct err err = {0};
	struct timespec t;

	for (;;) {
		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_nsec += TICK_MS * 1000000L;
		t.tv_sec += t.tv_nsec / 1000000000L;
		t.tv_nsec %= 1000000000L;
		if (pthread_timedjoin_np(thread, NULL, &t) == 0)
			return;
		if (output_check(w->out, &err) < 0)
			workers_fail(w, &err);
		else if (w->total > PROGRESS_DONE ||
			 clock_mono_ms() - began > PROGRESS_MS)
			output_progress(w->out, w->what,
					(int64_t)atomic_load(&w->done),
					(int64_t)w->total);
	}
}

int workers_run(struct workers *w, void *(*work)(void *job), void *job,
		struct err *err)
{
	pthread_t threads[MAX_THREADS];
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	long want = cpus > MAX_THREADS ? MAX_THREADS : cpus < 2 ? 2 : cpus;
	int64_t began = clock_mono_ms();
	int n = 0;

	while (n < want && pthread_create(&threads[n], NULL, work, job) == 0)
		n++;
	if (n == 0)
		return err_set(err, ERR_LIMIT, "%s: no thread can be started",
			       w->what);
	while (n > 0)
		join(w, threads[--n], began);
	if (!atomic_load(&w->stop))
		return 0;
	*err = w->err;
	return -1;
}
