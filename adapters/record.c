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

#define TAIL_MAX    ((size_t)4 * 1024 * 1024)
#define ENTRIES_MAX 50000 /* looked at in one search */

/* The last bytes; what is before the first whole line is left out. */
static void read_tail(int fd, struct buf *out)
{
	off_t size = lseek(fd, 0, SEEK_END), at;
	char *line;

	if (size <= 0)
		return;
	at = (size_t)size > TAIL_MAX ? size - (off_t)TAIL_MAX : 0;
	while (out->len < TAIL_MAX) {
		size_t left = TAIL_MAX - out->len;
		size_t room = left < 65536 ? left : 65536;
		ssize_t n =
		    pread(fd, buf_room(out, room), room, at + (off_t)out->len);

		if (n <= 0)
			break;
		out->len += (size_t)n;
		out->data[out->len] = '\0';
	}
	if (at > 0 && out->len > 0) {
		line = memchr(out->data, '\n', out->len);
		buf_drop(out, line ? (size_t)(line - out->data) + 1 : out->len);
	}
}

static void read_lines(int fd, record_line *on_line, struct record_search *s)
{
	struct buf tail = {0};
	bool more = true;
	size_t end;

	read_tail(fd, &tail);
	end = tail.len;
	while (more && end > 0) {
		const char *nl = memrchr(tail.data, '\n', end);
		size_t from = nl ? (size_t)(nl - tail.data) + 1 : 0;
		cJSON *o = end > from ? json_parse_object(tail.data + from,
							  end - from, NULL)
				      : NULL;

		if (o)
			more = on_line(s, o);
		cJSON_Delete(o);
		end = from > 0 ? from - 1 : 0;
	}
	buf_finish(&tail);
}

struct walk {
	bool (*fits)(const char *id, int fd);
	const char *id;
	int fd, left;
	off_t size;
};

/* Takes fd, or closes it. */
static void take_largest(struct walk *w, int fd)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && (w->fd < 0 || st.st_size > w->size) &&
	    (!w->fits || w->fits(w->id, fd))) {
		int smaller = w->fd;

		w->fd = fd;
		w->size = st.st_size;
		fd = smaller;
	}
	file_close(fd);
}

/* What pattern names below the directory at; no link is followed. */
static void walk_below(struct walk *w, int at, const char *pattern)
{
	size_t len = strcspn(pattern, "/");
	const char *below = pattern[len] ? pattern + len + 1 : NULL, *name;
	char *part = mem_strndup(pattern, len);
	DIR *d = file_list(at, ".");

	while ((!below || w->fd < 0) && w->left-- > 0 &&
	       (name = file_list_next(d))) {
		int fd = -1;

		if (*name == '.' || fnmatch(part, name, 0) != 0)
			continue;
		if (!below)
			fd = file_open(at, name, O_RDONLY, NULL);
		else
			fd = openat(at, name, FILE_DIR_FLAGS);
		if (fd >= 0 && !below) {
			take_largest(w, fd);
		} else if (fd >= 0) {
			walk_below(w, fd, below);
			close(fd);
		}
	}
	file_list_end(d);
	free(part);
}

int record_open(const struct record_kind *k, const char *dir, const char *id)
{
	struct walk w = {
	    .fits = k->fits, .id = id, .fd = -1, .left = ENTRIES_MAX};
	size_t n = strcspn(k->pattern, "%"), id_len = strlen(id);
	char *pattern;
	int at;

	if (k->id_len && id_len > k->id_len)
		id_len = k->id_len;
	pattern = k->pattern[n]
		      ? mem_printf("%.*s%.*s%s", (int)n, k->pattern,
				   (int)id_len, id, k->pattern + n + 1)
		      : mem_strdup(k->pattern);
	/* dir itself may be the user's link. */
	at = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (at >= 0)
		walk_below(&w, at, pattern);
	file_close(at);
	free(pattern);
	return w.fd;
}

bool record_is_kept(const struct record_kind *k, const char *dir,
		    const char *id)
{
	struct record_search s = {.kept = !k->on_kept};
	int fd = dir ? record_open(k, dir, id) : -1;

	if (fd < 0)
		return false;
	if (k->on_kept)
		read_lines(fd, k->on_kept, &s);
	close(fd);
	return s.kept;
}

#define BLANKS " \t\r\n"

/* told may be cut. Blanks in front of either do not count. */
static bool begins(const char *text, const char *told)
{
	text += strspn(text, BLANKS);
	told += strspn(told, BLANKS);
	return strncmp(text, told, strlen(told)) == 0;
}

bool record_answer(const struct record_kind *k, const struct record *record,
		   const char *told, struct buf *out)
{
	struct record_search s = {.asked_at = record->asked_at};
	int fd = record_open(k, record->dir, record->conversation);
	bool known;

	if (fd < 0)
		return false;
	if (k->on_answer)
		read_lines(fd, k->on_answer, &s);
	else
		read_tail(fd, &s.answer);
	close(fd);
	known = s.answer.len > 0 && begins(s.answer.data, told);
	if (known)
		buf_add(out, s.answer.data, s.answer.len);
	buf_finish(&s.answer);
	free(s.message);
	return known;
}

bool record_is_before(const cJSON *o, int64_t at)
{
	int64_t said_at = clock_parse(json_str_or(o, "timestamp", ""));

	return said_at >= 0 && said_at < at;
}
