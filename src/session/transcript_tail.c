/*
 * transcript_tail.c - reads a transcript on and on, while it is written.
 *
 * The writer renames `transcript` to `transcript.1` and starts a new one.
 * Who has the file open therefore reads it to its end first, and goes on
 * with the new one when the name stands for another file; what was written
 * between the two looks is read before.
 */
#include "session/transcript_tail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"

#define LINE_MAX_BYTES ((size_t)1024 * 1024)
#define TIME_MAX_S     1e12 /* what fits an int64_t in ms, and a clock */

struct transcript_tail {
	char *path, *old_path;
	int fd;	       /* what is read now; -1: nothing yet */
	struct buf in; /* a line that is not whole yet */
	bool skipping; /* until the end of a line that is too long */
	int64_t base_ms, first_ms;
	int events;
	int failed; /* errno, 0 */
};

/* -1: there is none, or failed says why. */
static int open_file(struct transcript_tail *t, const char *path)
{
	int fd = file_open(AT_FDCWD, path, O_RDONLY, NULL);

	if (fd < 0 && errno != ENOENT)
		t->failed = errno;
	return fd;
}

static bool same_file(int a, int b)
{
	struct stat x, y;

	return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

struct transcript_tail *transcript_tail_open(const char *session_dir)
{
	struct transcript_tail *t = mem_alloc(sizeof *t);

	t->path = file_join(session_dir, "transcript");
	t->old_path = file_join(session_dir, "transcript.1");
	t->fd = open_file(t, t->old_path);
	if (t->fd < 0)
		t->fd = open_file(t, t->path);
	return t;
}

void transcript_tail_close(struct transcript_tail *t)
{
	if (!t)
		return;
	if (t->fd >= 0)
		close(t->fd);
	free(t->path);
	free(t->old_path);
	buf_finish(&t->in);
	free(t);
}

int64_t transcript_tail_start_ms(const struct transcript_tail *t)
{
	return t->first_ms;
}

int transcript_tail_failed(const struct transcript_tail *t)
{
	return t->failed;
}

static int header(struct transcript_tail *t, const cJSON *o, transcript_fn fn,
		  void *ctx)
{
	int64_t cols = json_int(o, "width", 80),
		rows = json_int(o, "height", 24);
	char *size = mem_printf("%lldx%lld", (long long)cols, (long long)rows);
	int rc;

	t->base_ms = json_int(o, "afw_start_ms", 0);
	if (t->first_ms == 0)
		t->first_ms = t->base_ms;
	rc = fn(ctx, t->base_ms - t->first_ms, 'h', size, strlen(size));
	free(size);
	return rc;
}

/* One line of the file. A line that is broken is left out. */
static int take_line(struct transcript_tail *t, const char *line, size_t len,
		     transcript_fn fn, void *ctx)
{
	cJSON *v = cJSON_ParseWithLength(line, len);
	const cJSON *at = cJSON_GetArrayItem(v, 0);
	const cJSON *kind = cJSON_GetArrayItem(v, 1);
	const cJSON *data = cJSON_GetArrayItem(v, 2);
	int rc = 0;

	if (cJSON_IsObject(v)) {
		rc = header(t, v, fn, ctx);
	} else if (cJSON_IsArray(v) && cJSON_IsNumber(at) &&
		   at->valuedouble >= 0 && at->valuedouble < TIME_MAX_S &&
		   cJSON_IsString(kind) && cJSON_IsString(data)) {
		t->events++;
		rc = fn(ctx,
			t->base_ms - t->first_ms +
			    (int64_t)(at->valuedouble * 1000 + 0.5),
			kind->valuestring[0], data->valuestring,
			strlen(data->valuestring));
	}
	cJSON_Delete(v);
	return rc;
}

static int take_lines(struct transcript_tail *t, transcript_fn fn, void *ctx)
{
	size_t at = 0;
	char *lf;
	int rc = 0;

	while (rc == 0 && t->in.len > at &&
	       (lf = memchr(t->in.data + at, '\n', t->in.len - at))) {
		size_t len = (size_t)(lf - t->in.data) - at;

		if (!t->skipping)
			rc = take_line(t, t->in.data + at, len, fn, ctx);
		t->skipping = false;
		at += len + 1;
	}
	buf_drop(&t->in, at);
	if (t->in.len > LINE_MAX_BYTES) {
		buf_clear(&t->in);
		t->skipping = true;
	}
	return rc;
}

/* The open file to its end. */
static int drain(struct transcript_tail *t, transcript_fn fn, void *ctx)
{
	int rc = 0;

	while (rc == 0) {
		char *to = buf_room(&t->in, 65536);
		ssize_t n = read(t->fd, to, 65536);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			t->failed = errno;
		if (n <= 0)
			break;
		t->in.len += (size_t)n;
		t->in.data[t->in.len] = '\0';
		rc = take_lines(t, fn, ctx);
	}
	return rc;
}

/*
 * The file that comes behind the one that is open: -1 where that is still
 * the last. Opened before the open one is read to its end: nothing is
 * written to a half any more once another one has its name.
 */
static int open_next(struct transcript_tail *t)
{
	int next = open_file(t, t->path), old;

	if (next < 0 || t->fd < 0)
		return next;
	if (same_file(t->fd, next)) {
		close(next);
		return -1;
	}
	/* Two changes since the last look: one half lies between. */
	old = open_file(t, t->old_path);
	if (old >= 0 && !same_file(t->fd, old)) {
		close(next);
		return old;
	}
	if (old >= 0)
		close(old);
	return next;
}

int transcript_tail_next(struct transcript_tail *t, transcript_fn fn, void *ctx)
{
	int rc = 0;

	t->events = 0;
	for (;;) {
		int next = open_next(t);

		if (t->fd >= 0)
			rc = drain(t, fn, ctx);
		if (rc != 0 && next >= 0)
			close(next);
		if (rc != 0 || next < 0)
			return rc ? rc : t->events;
		if (t->fd >= 0)
			close(t->fd);
		t->fd = next;
		buf_clear(&t->in);
		t->skipping = false;
	}
}

struct reading {
	transcript_fn fn;
	void *ctx;
};

static int without_headers(void *ctx, int64_t t_ms, char kind, const char *data,
			   size_t len)
{
	const struct reading *r = ctx;

	return kind == 'h' ? 0 : r->fn(r->ctx, t_ms, kind, data, len);
}

int transcript_read(const char *session_dir, transcript_fn fn, void *ctx,
		    struct err *err)
{
	struct transcript_tail *t = transcript_tail_open(session_dir);
	struct reading r = {.fn = fn, .ctx = ctx};
	int rc = 0;

	transcript_tail_next(t, without_headers, &r);
	errno = t->failed;
	if (t->failed)
		rc = err_errno(err, "read the transcript");
	else if (t->fd < 0)
		rc = err_set(err, ERR_FAILED, "there is no transcript yet");
	transcript_tail_close(t);
	return rc;
}
