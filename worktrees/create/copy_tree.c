/*
 * copy_tree.c - copies a directory, several files at a time.
 *
 * The work is a stack of batches: some names of a directory that is open on
 * both sides. A directory among them becomes a batch of its own, and is made
 * and opened when that is taken, which pushes its names; the last batch of a
 * directory sets its mode and times. So a tree of many directories and a
 * directory of many files are both shared out, and as the stack goes into the
 * depth first, few directories are open at once.
 *
 * It goes from open directory to open directory with O_NOFOLLOW on both sides,
 * so that no symlink in the main worktree makes it read outside, and no tracked
 * symlink in the new one makes it write outside.
 */
#include "worktrees/create/copy_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/mem.h"
#include "worktrees/git/copy_bytes.h"
#include "worktrees/git/workers.h"

#define MAX_DEPTH 128
#define BATCH	  1024 /* names */

struct dir {
	DIR *from;
	int to;
	int depth;
	struct stat st;
	bool made;
	size_t batches; /* that are not done */
};

struct batch {
	struct dir *dir;
	struct strv names;
	bool is_dir;	/* the only name is a directory, */
	struct stat st; /* as it is there */
	struct batch *next;
};

struct job {
	struct workers w;
	/* under its lock */
	struct batch *stack;
	size_t busy; /* threads that have a batch, and may push others */
	pthread_cond_t changed;
	atomic_size_t made;
	atomic_bool unusual;
};

static int copy_file(struct job *job, int from, int to, const char *name,
		     const struct stat *st, char *room, struct err *err)
{
	struct timespec t[2] = {st->st_atim, st->st_mtim};
	_close_ int in = -1, out = -1;

	out = openat(to, name,
		     O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		     st->st_mode & 0777);
	if (out < 0 && errno == EEXIST)
		return 0;
	if (out < 0)
		return err_errno(err, "copy %s", name);
	atomic_fetch_add(&job->made, 1);
	in = openat(from, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	/* times last, and the same mode: node_modules/.bin */
	if (in < 0 || copy_bytes(in, out, room, true, false) != 0 ||
	    fchmod(out, st->st_mode & 0777) < 0 || futimens(out, t) < 0 ||
	    close(TAKE_FD(out)) < 0)
		return err_errno(err, "copy %s", name);
	return 0;
}

static int copy_link(struct job *job, int from, int to, const char *name,
		     struct err *err)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(from, name, target, sizeof target - 1);

	if (n < 0)
		return err_errno(err, "copy %s", name);
	target[n] = '\0';
	if (symlinkat(target, to, name) == 0)
		atomic_fetch_add(&job->made, 1);
	else if (errno != EEXIST)
		return err_errno(err, "copy %s", name);
	return 0;
}

/* -- a directory ----------------------------------------------------------- */

static int dir_close(struct dir *d, bool done, struct err *err)
{
	struct timespec t[2] = {d->st.st_atim, d->st.st_mtim};
	int rc = 0;

	if (done && d->made &&
	    (fchmod(d->to, d->st.st_mode & 0777) < 0 || futimens(d->to, t) < 0))
		rc = err_errno(err, "copy a directory");
	file_list_end(d->from);
	file_close(d->to);
	free(d);
	return rc;
}

/* Pushes the batches from first to last, which are of d. */
static void push(struct job *job, struct dir *d, struct batch *first,
		 struct batch *last, size_t n)
{
	pthread_mutex_lock(&job->w.lock);
	last->next = job->stack;
	job->stack = first;
	d->batches += n;
	pthread_cond_broadcast(&job->changed);
	pthread_mutex_unlock(&job->w.lock);
}

static struct batch *batch_new(struct dir *d, struct batch *next)
{
	struct batch *b = mem_alloc(sizeof *b);

	*b = (struct batch){.dir = d, .next = next};
	return b;
}

static void push_dir(struct job *job, struct dir *in, const char *name,
		     const struct stat *st)
{
	struct batch *b = batch_new(in, NULL);

	strv_add(&b->names, name);
	b->is_dir = true;
	b->st = *st;
	push(job, in, b, b, 1);
}

/* Lists its names in batches, before any is copied. */
static int dir_list(struct job *job, struct dir *d, struct err *err)
{
	struct batch *first = NULL, *last = NULL;
	const char *name;
	size_t n = 0;
	int rc;

	while ((name = file_list_next(d->from))) {
		if (!first || first->names.n == BATCH) {
			first = batch_new(d, first);
			last = last ? last : first;
			n++;
		}
		strv_add(&first->names, name);
	}
	rc = errno ? err_errno(err, "copy a directory") : 0;
	if (first)
		push(job, d, first, last, n);
	else if (dir_close(d, rc == 0, err) < 0)
		rc = -1;
	return rc;
}

static int dir_open(struct job *job, int from, int to, const char *name,
		    const struct stat *st, int depth, struct err *err)
{
	_close_ int out = -1;
	struct dir *d;
	bool made;

	if (depth > MAX_DEPTH)
		return err_set(err, ERR_LIMIT, "copy %s: nested too deep",
			       name);
	/* writable until it is full */
	made = mkdirat(to, name, 0700) == 0;
	out = openat(to, name, FILE_DIR_FLAGS);
	atomic_fetch_add(&job->made, made);
	/* a tracked file or link of that name: left alone */
	if (!made && (out < 0 || errno != EEXIST))
		return errno == EEXIST || errno == ENOTDIR || errno == ELOOP
			   ? 0
			   : err_errno(err, "copy %s", name);
	d = mem_alloc(sizeof *d);
	*d = (struct dir){.from = out < 0 ? NULL : file_list(from, name),
			  .to = TAKE_FD(out),
			  .depth = depth,
			  .st = *st,
			  .made = made};
	if (d->from)
		return dir_list(job, d, err);
	err_errno(err, "copy %s", name);
	dir_close(d, false, NULL);
	return -1;
}

/* in: the directory that it is in; NULL: it is what is to be copied. */
static int copy_any(struct job *job, struct dir *in, int from, int to,
		    const char *name, char *room, struct err *err)
{
	struct stat st;

	atomic_fetch_add(&job->w.done, 1);
	if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : err_errno(err, "copy %s", name);
	if (S_ISDIR(st.st_mode) && !in)
		return dir_open(job, from, to, name, &st, 0, err);
	if (S_ISDIR(st.st_mode)) {
		push_dir(job, in, name, &st);
		return 0;
	}
	if (S_ISREG(st.st_mode))
		return copy_file(job, from, to, name, &st, room, err);
	if (S_ISLNK(st.st_mode))
		return copy_link(job, from, to, name, err);
	atomic_store(&job->unusual, true);
	return 0;
}

/* -- the threads ----------------------------------------------------------- */

/* Returns the next batch; NULL: nothing is left, or it has failed. */
static struct batch *batch_take(struct job *job)
{
	struct batch *b;

	pthread_mutex_lock(&job->w.lock);
	while (!job->stack && job->busy && !atomic_load(&job->w.stop))
		pthread_cond_wait(&job->changed, &job->w.lock);
	b = atomic_load(&job->w.stop) ? NULL : job->stack;
	if (b) {
		job->stack = b->next;
		job->busy++;
	}
	pthread_mutex_unlock(&job->w.lock);
	return b;
}

/* Frees it, and its directory if it was the last. */
static void batch_end(struct job *job, struct batch *b, bool done)
{
	struct err err = {0};
	bool last;

	pthread_mutex_lock(&job->w.lock);
	last = --b->dir->batches == 0;
	pthread_mutex_unlock(&job->w.lock);
	if (last && dir_close(b->dir, done, &err) < 0)
		workers_fail(&job->w, &err);
	strv_finish(&b->names);
	free(b);
}

static void batch_copy(struct job *job, struct batch *b, char *room)
{
	struct dir *d = b->dir;
	int from = dirfd(d->from);
	struct err err = {0};
	int rc = 0;

	if (b->is_dir)
		rc = dir_open(job, from, d->to, b->names.v[0], &b->st,
			      d->depth + 1, &err);
	for (size_t i = 0; !b->is_dir && rc == 0 && i < b->names.n; i++)
		if (!atomic_load(&job->w.stop))
			rc = copy_any(job, d, from, d->to, b->names.v[i], room,
				      &err);
	if (rc < 0)
		workers_fail(&job->w, &err);
}

static void *worker(void *arg)
{
	struct job *job = arg;
	_free_ char *room = mem_alloc(COPY_BYTES_ROOM);
	struct batch *b;

	while ((b = batch_take(job))) {
		batch_copy(job, b, room);
		batch_end(job, b, !atomic_load(&job->w.stop));
		pthread_mutex_lock(&job->w.lock);
		job->busy--;
		pthread_cond_broadcast(&job->changed);
		pthread_mutex_unlock(&job->w.lock);
	}
	return NULL;
}

int copy_tree(struct output *out, int from, int to, const char *name,
	      size_t *made, bool *unusual, struct err *err)
{
	struct job job = {.w = {.out = out,
				.what = "copy",
				.lock = PTHREAD_MUTEX_INITIALIZER},
			  .changed = PTHREAD_COND_INITIALIZER};
	_free_ char *room = mem_alloc(COPY_BYTES_ROOM);
	int rc = output_check(out, err);

	if (rc == 0)
		rc = copy_any(&job, NULL, from, to, name, room, err);
	if (rc == 0 && job.stack)
		rc = workers_run(&job.w, worker, &job, err);
	while (job.stack) {
		struct batch *b = job.stack;

		job.stack = b->next;
		batch_end(&job, b, false);
	}
	*made += atomic_load(&job.made);
	*unusual |= atomic_load(&job.unusual);
	return rc;
}
