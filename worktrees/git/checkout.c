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
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "worktrees/git/checkout_file.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/git/repo.h"
#include "worktrees/git/workers.h"

#define BATCH 16 /* files that a thread takes at once */

struct job {
	struct checkout *co;
	size_t n; /* files */
	atomic_size_t next;
	struct workers w; /* its lock is also for the results */
};

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

	while (!atomic_load(&job->w.stop)) {
		size_t i = atomic_fetch_add(&job->next, BATCH);
		size_t end = i + BATCH < job->n ? i + BATCH : job->n;

		if (i >= job->n)
			break;
		for (; i < end && !atomic_load(&job->w.stop); i++) {
			if (!is_attributes(entry(job, i)) &&
			    !index_entry_skipped(entry(job, i)) &&
			    checkout_file_make(&cf, entry(job, i), &err) < 0)
				workers_fail(&job->w, &err);
			atomic_fetch_add(&job->w.done, 1);
		}
	}
	checkout_file_finish(&cf);
	pthread_mutex_lock(&job->w.lock);
	job->co->lfs += cf.lfs;
	if (cf.filter[0])
		memcpy(job->co->filter, cf.filter, sizeof cf.filter);
	pthread_mutex_unlock(&job->w.lock);
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
				if (mkdirat(job->co->dir, dir.data, 0777) < 0 &&
				    !(job->co->dirs_exist && errno == EEXIST))
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

int checkout_run(struct checkout *co, struct err *err)
{
	struct job job = {.co = co,
			  .n = git_index_entrycount(co->index),
			  .w = {.out = co->out,
				.what = "checkout",
				.lock = PTHREAD_MUTEX_INITIALIZER}};

	job.w.total = job.n;
	if (make_dirs(&job, err) < 0 || make_attributes(&job, true, err) < 0 ||
	    (!co->raw && make_attributes(&job, false, err) < 0))
		return -1;
	return workers_run(&job.w, worker, &job, err);
}
