/*
 * events_tail.c - reads a session's history on and on, while it is written.
 *
 * The writer renames events.jsonl to events.jsonl.1 when it is full, right
 * after a write, and starts a new one with the next. Who has the file open
 * reads it to its end and goes on when the name stands for another file.
 */
#include "session/events_tail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"

#define LINE_MAX_BYTES ((size_t)256 * 1024)
#define CHUNK	       ((size_t)64 * 1024)

struct events_tail {
	char *path;
	int fd;	       /* what is read now; -1: nothing yet */
	int next;      /* what is read after it; -1: not known */
	struct buf in; /* a line that is not whole yet */
	bool skipping; /* until the end of a line that is too long */
	int failed;    /* errno, 0 */
};

/* -1: there is none, or failed says why. */
static int open_file(struct events_tail *t, const char *path)
{
	int fd = file_open(AT_FDCWD, path, O_RDONLY, NULL);

	if (fd < 0 && errno != ENOENT)
		t->failed = errno;
	return fd;
}

/* Whether both are open and are one file. */
static bool same_file(int a, int b)
{
	struct stat x, y;

	return a >= 0 && b >= 0 && fstat(a, &x) == 0 && fstat(b, &y) == 0 &&
	       x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

struct events_tail *events_tail_open(const char *session_dir)
{
	struct events_tail *t = mem_alloc(sizeof *t);
	char *old;

	t->path = file_join(session_dir, "events.jsonl");
	old = mem_printf("%s.1", t->path);
	/* The newer one first: if it is renamed now, both are the same, and
	 * only what is older still is missing. */
	t->next = open_file(t, t->path);
	t->fd = open_file(t, old);
	if (t->fd < 0 || same_file(t->fd, t->next)) {
		if (t->fd >= 0)
			close(t->fd);
		t->fd = t->next;
		t->next = -1;
	}
	free(old);
	return t;
}

void events_tail_close(struct events_tail *t)
{
	if (!t)
		return;
	if (t->fd >= 0)
		close(t->fd);
	if (t->next >= 0)
		close(t->next);
	buf_finish(&t->in);
	free(t->path);
	free(t);
}

int events_tail_failed(const struct events_tail *t)
{
	return t->failed;
}

/* Tells the whole lines that are held. */
static void lines(struct events_tail *t, events_tail_fn fn, void *ctx)
{
	size_t at = 0;
	char *end;

	while (at < t->in.len &&
	       (end = memchr(t->in.data + at, '\n', t->in.len - at))) {
		size_t len = (size_t)(end - (t->in.data + at));
		cJSON *o = t->skipping
			       ? NULL
			       : json_parse_object(t->in.data + at, len, NULL);

		t->skipping = false;
		if (o)
			fn(ctx, o);
		at += len + 1;
	}
	buf_drop(&t->in, at);
	if (t->in.len > LINE_MAX_BYTES) {
		t->skipping = true;
		buf_clear(&t->in);
	}
}

static void read_to_end(struct events_tail *t, events_tail_fn fn, void *ctx)
{
	ssize_t n = 0;

	while (t->fd >= 0 &&
	       (n = read(t->fd, buf_room(&t->in, CHUNK), CHUNK)) > 0) {
		t->in.len += (size_t)n;
		t->in.data[t->in.len] = '\0';
		lines(t, fn, ctx);
	}
	if (n < 0)
		t->failed = errno;
}

void events_tail_next(struct events_tail *t, events_tail_fn fn, void *ctx)
{
	for (;;) {
		int next = t->next >= 0 ? t->next : open_file(t, t->path);
		bool same = same_file(next, t->fd);

		t->next = -1;
		/* After the look at the name: all that is in this one. */
		read_to_end(t, fn, ctx);
		if (next < 0)
			return;
		if (same) {
			close(next);
			return;
		}
		if (t->fd >= 0)
			close(t->fd);
		t->fd = next;
		buf_clear(&t->in);
		t->skipping = false;
	}
}
