/*
 * checkout.c - fills a new worktree, several files at a time.
 *
 * Two sources. What the main worktree's index proves to be unchanged there
 * since git last looked (size, inode, mtime and ctime to the nanosecond,
 * mtime older than the index itself, same object as in the wanted tree) is
 * copied from there: no inflating, no hashing. The copy keeps the mtime, so
 * that git need not look into it again because of a time too near the
 * index's, and a build directory that was copied too stays up to date. All
 * else is read from the object store, each thread with its own handle.
 *
 * All directories are made first and symlinks can then only be made where
 * nothing is, so that no path of the tree leads out of the worktree.
 */
#include "worktrees/checkout.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "worktrees/checkout_file.h"
#include "worktrees/repo.h"

#define MAX_THREADS    4
#define BATCH	       16 /* files that a thread takes at once */
#define PROGRESS_FILES 500
#define PROGRESS_MS    300
#define TICK_MS	       50

struct job {
	struct checkout *co;
	const struct index_entry **from; /* source entry of each, or NULL */
	atomic_size_t next, done, copied, lfs, submodules;
	atomic_bool stop;
	pthread_mutex_t lock; /* for what follows */
	pthread_cond_t ended;
	unsigned running;
	bool failed;
	struct err err;
};

static void fail(struct job *job, const struct err *err)
{
	pthread_mutex_lock(&job->lock);
	if (!job->failed)
		job->err = *err;
	job->failed = true;
	pthread_mutex_unlock(&job->lock);
	atomic_store(&job->stop, true);
}

static void note_filter(struct job *job, const char *name)
{
	pthread_mutex_lock(&job->lock);
	if (!job->co->filter[0])
		memccpy(job->co->filter, name, 0, sizeof job->co->filter - 1);
	pthread_mutex_unlock(&job->lock);
}

static int one(struct job *job, struct checkout_file *cf, size_t i,
	       struct err *err)
{
	struct index_entry *e = &job->co->list->entries[i];

	cf->lfs = cf->copied = false;
	cf->filter[0] = '\0';
	if (checkout_file_make(cf, e, job->from[i], err) < 0)
		return -1;
	if (cf->copied)
		atomic_fetch_add(&job->copied, 1);
	if (cf->lfs)
		atomic_fetch_add(&job->lfs, 1);
	if (e->mode == GIT_FILEMODE_COMMIT)
		atomic_fetch_add(&job->submodules, 1);
	if (cf->filter[0])
		note_filter(job, cf->filter);
	atomic_fetch_add(&job->done, 1);
	return 0;
}

static void *worker(void *arg)
{
	struct job *job = arg;
	struct checkout_file cf = {.co = job->co};
	size_t n = job->co->list->n;
	struct err err = {0};

	while (!atomic_load(&job->stop)) {
		size_t i = atomic_fetch_add(&job->next, BATCH);
		size_t end = i + BATCH < n ? i + BATCH : n;

		if (i >= n)
			break;
		for (; i < end && !atomic_load(&job->stop); i++)
			if (one(job, &cf, i, &err) < 0)
				fail(job, &err);
	}
	checkout_file_finish(&cf);
	pthread_mutex_lock(&job->lock);
	job->running--;
	pthread_cond_signal(&job->ended);
	pthread_mutex_unlock(&job->lock);
	return NULL;
}

/* The source entry of each file of the list: both are in order. */
static void match(struct job *job)
{
	const struct index_file *ix = job->co->source_index;
	struct tree_list *list = job->co->list;
	size_t j = 0;

	job->from = mem_alloc((list->n + 1) * sizeof *job->from);
	if (!ix || job->co->source < 0)
		return;
	for (size_t i = 0; i < list->n; i++) {
		struct index_entry *e = &list->entries[i];
		const struct index_entry *s;
		int order = 1;

		while (j < ix->n &&
		       (order = strcmp(ix->entries[j].path, e->path)) < 0)
			j++;
		if (j == ix->n)
			break;
		s = &ix->entries[j];
		if (order != 0 || !s->plain || s->mode != e->mode ||
		    memcmp(s->oid, e->oid, INDEX_OID_SIZE) != 0)
			continue;
		/* racy: it may have changed after git had looked */
		if (s->mtime_s > (uint64_t)ix->mtime.tv_sec ||
		    (s->mtime_s == (uint64_t)ix->mtime.tv_sec &&
		     s->mtime_ns >= (uint64_t)ix->mtime.tv_nsec))
			continue;
		job->from[i] = s;
	}
}

/* Paths are in order, so a directory's files are together. */
static int make_dirs(struct job *job, struct err *err)
{
	const struct tree_list *list = job->co->list;
	const char *before = "";
	struct buf dir = {0};
	int r = 0;

	for (size_t i = 0; r == 0 && i < list->n; i++) {
		const char *path = list->entries[i].path, *slash = path;
		size_t same = 0;

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

/*
 * Those first: the others' attributes are read from them. They themselves
 * stay as they are stored, where git would give them CRLF if so configured.
 */
static int make_attributes(struct job *job, struct err *err)
{
	struct checkout_file cf = {.co = job->co, .raw = true};
	struct tree_list *list = job->co->list;
	int r = 0;

	for (size_t i = 0; r == 0 && i < list->n; i++) {
		const char *path = list->entries[i].path;

		if (strcmp(repo_basename(path), ".gitattributes") != 0)
			continue;
		job->co->attributes = true;
		r = one(job, &cf, i, err);
		list->entries[i].plain = true; /* made */
	}
	checkout_file_finish(&cf);
	return r;
}

/* Waits for the threads; speaks and listens in between. */
static void supervise(struct job *job)
{
	struct checkout *co = job->co;
	int64_t began = clock_mono_ms();
	struct err err = {0};

	pthread_mutex_lock(&job->lock);
	while (job->running > 0) {
		struct timespec t;

		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_nsec += TICK_MS * 1000000L;
		t.tv_sec += t.tv_nsec / 1000000000L;
		t.tv_nsec %= 1000000000L;
		pthread_cond_timedwait(&job->ended, &job->lock, &t);
		pthread_mutex_unlock(&job->lock);
		if (output_go_on(co->out, &err) < 0)
			fail(job, &err);
		else if (co->list->n > PROGRESS_FILES ||
			 clock_mono_ms() - began > PROGRESS_MS)
			output_progress(co->out, "checkout",
					(int64_t)atomic_load(&job->done),
					(int64_t)co->list->n);
		pthread_mutex_lock(&job->lock);
	}
	pthread_mutex_unlock(&job->lock);
}

static int run_threads(struct job *job, struct err *err)
{
	pthread_t threads[MAX_THREADS];
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned want = cpus > MAX_THREADS ? MAX_THREADS
			: cpus < 2	   ? 2
					   : (unsigned)cpus;
	unsigned n = 0;

	job->running = want;
	for (; n < want; n++)
		if (pthread_create(&threads[n], NULL, worker, job) != 0)
			break;
	pthread_mutex_lock(&job->lock);
	job->running -= want - n;
	pthread_mutex_unlock(&job->lock);
	if (n == 0)
		return err_set(err, ERR_LIMIT,
			       "check out: no thread to be had");
	supervise(job);
	while (n > 0)
		pthread_join(threads[--n], NULL);
	if (!job->failed)
		return 0;
	*err = job->err;
	return -1;
}

int checkout_run(struct checkout *co, struct err *err)
{
	struct job job = {.co = co,
			  .lock = PTHREAD_MUTEX_INITIALIZER,
			  .ended = PTHREAD_COND_INITIALIZER};
	int r = -1;

	match(&job);
	if (make_dirs(&job, err) < 0 || make_attributes(&job, err) < 0 ||
	    run_threads(&job, err) < 0)
		goto out;
	co->copied = atomic_load(&job.copied);
	co->lfs = atomic_load(&job.lfs);
	co->submodules = atomic_load(&job.submodules);
	r = 0;
out:
	free(job.from);
	return r;
}
