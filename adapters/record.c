/* record.c - a harness's own files, opened part by part, read from the end. */
#include "adapters/record.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
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
			next = openat(fd, part, O_RDONLY | O_DIRECTORY |
						    O_NOFOLLOW | O_CLOEXEC);
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
		ssize_t n = pread(fd, buf_room(out, room), room,
				  at + (off_t)out->len);

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

void record_entries(const char *dir, const char *path, int max,
		    bool (*on_name)(void *ctx, const char *name), void *ctx)
{
	int fd = open_dir(dir, path, strlen(path));
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;
	bool more = true;

	if (!d && fd >= 0)
		close(fd);
	for (int n = 0; d && more && n < max && (e = readdir(d)); n++)
		if (e->d_name[0] != '.')
			more = on_name(ctx, e->d_name);
	if (d)
		closedir(d);
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
