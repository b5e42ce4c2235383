/* record.c - a harness's own files, opened part by part, read from the end. */
#include "adapters/record.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"

/* The directory dir/path, or -1. dir itself may be the user's link. */
static int open_dir(const char *dir, const char *path, size_t len)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	while (fd >= 0 && len > 0) {
		size_t n = 0;
		char *part;
		int next;

		while (n < len && path[n] != '/')
			n++;
		part = mem_strndup(path, n);
		next = -1;
		if (n > 0 && strcmp(part, "..") != 0)
			next = openat(fd, part,
				      O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
					  O_CLOEXEC);
		free(part);
		close(fd);
		fd = next;
		n += n < len;
		path += n;
		len -= n;
	}
	return fd;
}

int record_open(const char *dir, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	struct stat st;
	int at, fd;

	if (*name == '\0' || strcmp(name, "..") == 0 || path[0] == '/')
		return -1;
	at = open_dir(dir, path, slash ? (size_t)(slash - path) : 0);
	if (at < 0)
		return -1;
	/* O_NONBLOCK: a FIFO put there must not hold us up. */
	fd = openat(at, name,
		    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	close(at);
	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
			st.st_uid != geteuid())) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* The last max bytes; what is before the first whole line is left out. */
static void read_tail(int fd, size_t max, struct buf *out)
{
	off_t size = lseek(fd, 0, SEEK_END), at;
	char *line;

	if (size <= 0)
		return;
	at = (size_t)size > max ? size - (off_t)max : 0;
	while (out->len < max) {
		size_t room = max - out->len < 65536 ? max - out->len : 65536;
		ssize_t n =
		    pread(fd, buf_room(out, room), room, at + (off_t)out->len);

		if (n <= 0)
			break;
		out->len += (size_t)n;
	}
	if (at > 0 && out->len > 0) {
		line = memchr(out->data, '\n', out->len);
		buf_drop(out, line ? (size_t)(line - out->data) + 1 : out->len);
	}
}

void record_lines(int fd, size_t max,
		  bool (*on_line)(void *ctx, const cJSON *o), void *ctx)
{
	struct buf tail = {0};
	bool more = true;
	size_t end;

	read_tail(fd, max < RECORD_TAIL_MAX ? max : RECORD_TAIL_MAX, &tail);
	end = tail.len;
	while (more && end > 0) {
		const char *nl = memrchr(tail.data, '\n', end);
		size_t from = nl ? (size_t)(nl - tail.data) + 1 : 0;
		cJSON *o = end > from ? json_parse_object(tail.data + from,
							  end - from, NULL)
				      : NULL;

		if (o)
			more = on_line(ctx, o);
		cJSON_Delete(o);
		end = from > 0 ? from - 1 : 0;
	}
	buf_finish(&tail);
}

#define ENTRIES_MAX 50000 /* looked at in one search */

struct search {
	const char *dir;
	bool (*fits)(const void *ctx, int fd);
	const void *ctx;
	int fd, left;
	off_t size;
};

/* A directory that is read, and what is looked for in it. */
struct level {
	struct search *search;
	const char *path, *pattern; /* one part, … */
	const char *below;	    /* … and the parts after it, or NULL */
};

static void search_in(struct search *s, const char *path, const char *pattern);

static void take_largest(struct search *s, const char *path)
{
	int fd = record_open(s->dir, path);
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && (s->fd < 0 || st.st_size > s->size) &&
	    (!s->fits || s->fits(s->ctx, fd))) {
		int smaller = s->fd;

		s->fd = fd;
		s->size = st.st_size;
		fd = smaller;
	}
	if (fd >= 0)
		close(fd);
}

static void on_entry(const struct level *l, const char *name)
{
	char *path = *l->path ? file_join(l->path, name) : mem_strdup(name);

	if (l->below)
		search_in(l->search, path, l->below);
	else
		take_largest(l->search, path);
	free(path);
}

static void read_level(const struct level *l)
{
	struct search *s = l->search;
	int fd = open_dir(s->dir, l->path, strlen(l->path));
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;

	if (!d && fd >= 0)
		close(fd);
	while (d && (!l->below || s->fd < 0) && s->left-- > 0 &&
	       (e = readdir(d)))
		if (e->d_name[0] != '.' &&
		    fnmatch(l->pattern, e->d_name, 0) == 0)
			on_entry(l, e->d_name);
	if (d)
		closedir(d);
}

static void search_in(struct search *s, const char *path, const char *pattern)
{
	size_t len = strcspn(pattern, "/");
	char *part = mem_strndup(pattern, len);
	struct level l = {s, path, part,
			  pattern[len] ? pattern + len + 1 : NULL};

	if (strchr(part, '*'))
		read_level(&l);
	else
		on_entry(&l, part);
	free(part);
}

int record_find(const char *dir, const char *pattern,
		bool (*fits)(const void *ctx, int fd), const void *ctx)
{
	struct search s = {.dir = dir,
			   .fits = fits,
			   .ctx = ctx,
			   .fd = -1,
			   .left = ENTRIES_MAX};

	if (dir)
		search_in(&s, "", pattern);
	return s.fd;
}

#define BLANKS " \t\r\n"

bool record_is_before(const cJSON *o, int64_t at)
{
	int64_t said_at = clock_parse(json_str_or(o, "timestamp", ""));

	return said_at >= 0 && said_at < at;
}

bool record_begins(const char *text, const char *told)
{
	text += strspn(text, BLANKS);
	told += strspn(told, BLANKS);
	return strncmp(text, told, strlen(told)) == 0;
}
