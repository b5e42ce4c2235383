/*
 * checkout.c - fills a new worktree, several files at a time.
 *
 * There are two sources. Files that the main worktree's index proves to be
 * unchanged since git last read them (size, inode, mtime and ctime to the
 * nanosecond, mtime older than the index itself, same object as in the wanted
 * tree) are copied from there: no inflating, no hashing. The copy keeps the
 * mtime, so that git need not read it again because of a time too near the
 * index's, and a copied build directory stays up to date. All other files are
 * read from the object store, each thread with its own handle.
 *
 * All directories are made first, and a symlink is made only where no file
 * exists, so that no path of the tree leads out of the worktree.
 */
#include "worktrees/git/checkout.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "worktrees/git/checkout_file.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/git/repo.h"

#define MAX_THREADS    4
#define BATCH	       16 /* files that a thread takes at once */
#define PROGRESS_FILES 500
#define PROGRESS_MS    300
#define TICK_MS	       50

struct job {
	struct checkout *co;
	size_t n; /* files */
	atomic_size_t next, done;
	atomic_bool stop;     /* it has failed */
	int64_t began;	      /* clock_mono_ms() */
	pthread_mutex_t lock; /* for err, and the results */
	struct err err;
};

static void set_failed(struct job *job, const struct err *err)
{
	pthread_mutex_lock(&job->lock);
	if (!atomic_exchange(&job->stop, true))
		job->err = *err;
	pthread_mutex_unlock(&job->lock);
}

/* Entries are patched in place, each by one thread. */
static git_index_entry *entry(const struct job *job, size_t i)
{
	return (git_index_entry *)git_index_get_byindex(job->co->index, i);
}

static bool is_attributes(const git_index_entry *e)
{
	return strcmp(repo_basename(e->path), ".gitattributes") == 0;
}

static void *worker(void *arg)
{
	struct job *job = arg;
	struct checkout_file cf = {.co = job->co};
	struct err err = {0};

	while (!atomic_load(&job->stop)) {
		size_t i = atomic_fetch_add(&job->next, BATCH);
		size_t end = i + BATCH < job->n ? i + BATCH : job->n;

		if (i >= job->n)
			break;
		for (; i < end && !atomic_load(&job->stop); i++) {
			if (!is_attributes(entry(job, i)) &&
			    !index_entry_skipped(entry(job, i)) &&
			    checkout_file_make(&cf, entry(job, i), &err) < 0)
				set_failed(job, &err);
			atomic_fetch_add(&job->done, 1);
		}
	}
	checkout_file_finish(&cf);
	pthread_mutex_lock(&job->lock);
	job->co->lfs += cf.lfs;
	job->co->submodules += cf.submodules;
	if (cf.filter[0])
		memcpy(job->co->filter, cf.filter, sizeof cf.filter);
	pthread_mutex_unlock(&job->lock);
	return NULL;
}

/* Paths are in order, so a directory's files are together. */
static int make_dirs(struct job *job, struct err *err)
{
	const char *before = "";
	struct buf dir = {0};
	int r = 0;

	for (size_t i = 0; r == 0 && i < job->n; i++) {
		const char *path = entry(job, i)->path, *slash = path;
		size_t same = 0;

		if (index_entry_skipped(entry(job, i)))
			continue;
		while (path[same] && path[same] == before[same])
			same++;
		while (r == 0 && (slash = strchr(slash, '/'))) {
			if ((size_t)(slash - path) >= same) {
				buf_clear(&dir);
				buf_add(&dir, path, (size_t)(slash - path));
				if (mkdirat(job->co->dir, dir.data, 0777) < 0)
					r = err_errno(err, "make directory %s",
						      dir.data);
			}
			slash++;
		}
		before = path;
	}
	buf_finish(&dir);
	return r;
}

/* Makes the .gitattributes first, as they are stored: the attributes of the
 * other files and of themselves are read from them. */
static int make_attributes(struct job *job, bool raw, struct err *err)
{
	struct checkout_file cf = {.co = job->co, .raw = raw};
	int r = 0;

	for (size_t i = 0; r == 0 && i < job->n; i++) {
		if (!is_attributes(entry(job, i)) ||
		    index_entry_skipped(entry(job, i)))
			continue;
		job->co->attributes = !job->co->raw;
		r = raw ? checkout_file_make(&cf, entry(job, i), err)
			: checkout_file_convert(&cf, entry(job, i), err);
	}
	checkout_file_finish(&cf);
	return r;
}

/* Waits for a thread; writes progress and checks for signals meanwhile. */
static void join(struct job *job, pthread_t thread)
{
	struct checkout *co = job->co;
	struct err err = {0};
	struct timespec t;

	for (;;) {
		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_nsec += TICK_MS * 1000000L;
		t.tv_sec += t.tv_nsec / 1000000000L;
		t.tv_nsec %= 1000000000L;
		if (pthread_timedjoin_np(thread, NULL, &t) == 0)
			return;
		if (output_check(co->out, &err) < 0)
			set_failed(job, &err);
		else if (job->n > PROGRESS_FILES ||
			 clock_mono_ms() - job->began > PROGRESS_MS)
			output_progress(co->out, "checkout",
					(int64_t)atomic_load(&job->done),
					(int64_t)job->n);
	}
}

static int run_threads(struct job *job, struct err *err)
{
	pthread_t threads[MAX_THREADS];
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	long want = cpus > MAX_THREADS ? MAX_THREADS : cpus < 2 ? 2 : cpus;
	int n = 0;

	while (n < want && pthread_create(&threads[n], NULL, worker, job) == 0)
		n++;
	if (n == 0)
		return err_set(err, ERR_LIMIT,
			       "check out: no thread can be started");
	while (n > 0)
		join(job, threads[--n]);
	if (!atomic_load(&job->stop))
		return 0;
	*err = job->err;
	return -1;
}

int checkout_run(struct checkout *co, struct err *err)
{
	struct job job = {.co = co,
			  .n = git_index_entrycount(co->index),
			  .began = clock_mono_ms(),
			  .lock = PTHREAD_MUTEX_INITIALIZER};

	if (make_dirs(&job, err) < 0 || make_attributes(&job, true, err) < 0 ||
	    (!co->raw && make_attributes(&job, false, err) < 0))
		return -1;
	return run_threads(&job, err);
}
