/* stat_list.c - the stat data of all files and directories of a tree. */
#include "worktrees/create/stat_list.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"

#define DEPTH_MAX   200
#define BYTES_MAX   ((size_t)1 << 29)
#define MAX_THREADS 4
#define BATCH	    64	 /* rows that a thread takes at once */
#define FEW	    2000 /* rows that no second thread is started for */
#define NS	    INT64_C(1000000000)

/* Followed by the path and a NUL. */
struct row {
	uint64_t ino, size;
	int64_t mtime, ctime; /* ns since 1970 */
	uint32_t mode;
	uint16_t root, len; /* len: of the path */
};

static int64_t ns(struct timespec t)
{
	return t.tv_sec * NS + t.tv_nsec;
}

static int64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return ns(t);
}

/* The coarse clock is behind the other one, and no ctime behind the coarse
 * one. */
int64_t stat_list_tick(void)
{
	int64_t at = now(CLOCK_REALTIME);

	/* Not for ever, if somebody sets the clock back. */
	for (int i = 0; i < 1000 && now(CLOCK_REALTIME_COARSE) <= at; i++)
		poll(NULL, 0, 1);
	return at;
}

static void set_stat(struct row *r, const struct stat *st)
{
	r->ino = st->st_ino;
	r->size = S_ISDIR(st->st_mode) ? 0 : (uint64_t)st->st_size;
	r->mtime = ns(st->st_mtim);
	r->ctime = ns(st->st_ctim);
	r->mode = st->st_mode;
}

/* -- to make it ------------------------------------------------------------ */

static int add(struct stat_list *l, int root, int dir, const char *name,
	       const char *path, int depth, struct err *err)
{
	struct row r = {.root = (uint16_t)root};
	size_t len = strlen(path);
	_dir_ DIR *d = NULL;
	struct stat st;

	if (len > UINT16_MAX || depth > DEPTH_MAX || l->rows.len > BYTES_MAX)
		return err_set(err, ERR_LIMIT, "%.100s: there is too much",
			       path);
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return err_errno(err, "read %s", path);
	set_stat(&r, &st);
	r.len = (uint16_t)len;
	if (r.ctime > l->newest)
		l->newest = r.ctime;
	buf_add(&l->rows, &r, sizeof r);
	buf_add(&l->rows, path, len + 1);
	if (!S_ISDIR(st.st_mode))
		return 0;
	d = file_list(dir, name);
	if (!d)
		return err_errno(err, "list %s", path);
	while ((name = file_list_next(d))) {
		_free_ char *below = strcmp(path, ".") == 0
					 ? mem_strdup(name)
					 : file_join(path, name);

		if (add(l, root, dirfd(d), name, below, depth + 1, err) < 0)
			return -1;
	}
	return errno ? err_errno(err, "list %s", path) : 0;
}

int stat_list_add(struct stat_list *l, int root, int dir, const char *name,
		  const char *path, struct err *err)
{
	return add(l, root, dir, name, path, 0, err);
}

/* -- to compare it --------------------------------------------------------- */

struct job {
	const char **v; /* where the rows are */
	size_t n;
	const int *roots;
	atomic_size_t next;
	_Atomic(const char *) differs; /* the path of one; or NULL */
};

static bool is_same(const struct job *job, const struct row *r,
		    const char *path)
{
	struct row is = {.root = r->root, .len = r->len};
	struct stat st;

	if (job->roots[r->root] < 0)
		return true;
	if (fstatat(job->roots[r->root], path, &st,
		    AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) < 0)
		return false;
	set_stat(&is, &st);
	return is.ino == r->ino && is.size == r->size && is.mtime == r->mtime &&
	       is.ctime == r->ctime && is.mode == r->mode;
}

static void *worker(void *arg)
{
	struct job *job = arg;

	while (!atomic_load(&job->differs)) {
		size_t i = atomic_fetch_add(&job->next, BATCH);
		size_t end = i + BATCH < job->n ? i + BATCH : job->n;

		if (i >= job->n)
			break;
		for (; i < end; i++) {
			const char *path = job->v[i] + sizeof(struct row);
			struct row r;

			memcpy(&r, job->v[i], sizeof r);
			if (!is_same(job, &r, path))
				atomic_store(&job->differs, path);
		}
	}
	return NULL;
}

/* Finds where each row begins; false if one is damaged. */
static bool find_rows(struct job *job, const struct buf *rows)
{
	size_t at = 0;

	while (at < rows->len) {
		size_t left = rows->len - at;
		struct row r;

		if (left < sizeof r)
			return false;
		memcpy(&r, rows->data + at, sizeof r);
		if (r.root >= STAT_LIST_ROOTS ||
		    left - sizeof r < (size_t)r.len + 1 ||
		    rows->data[at + sizeof r + r.len] != '\0')
			return false;
		job->v = mem_grow(job->v, job->n, sizeof *job->v);
		job->v[job->n++] = rows->data + at;
		at += sizeof r + r.len + 1;
	}
	return job->n > 0;
}

static void run(struct job *job)
{
	pthread_t threads[MAX_THREADS];
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int want = job->n < FEW		? 0
		   : cpus > MAX_THREADS ? MAX_THREADS - 1
					: (int)cpus - 1,
	    n = 0;

	while (n < want && pthread_create(&threads[n], NULL, worker, job) == 0)
		n++;
	worker(job);
	while (n > 0)
		pthread_join(threads[--n], NULL);
}

bool stat_list_same(const struct buf *rows, const int roots[STAT_LIST_ROOTS],
		    char **why)
{
	struct job job = {.roots = roots};
	bool whole = find_rows(&job, rows);

	if (whole)
		run(&job);
	*why = mem_strdup(job.differs);
	free(job.v);
	return whole && !job.differs;
}
