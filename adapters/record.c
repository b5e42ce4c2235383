/* record.c - opens a harness's own files part by part, and reads them from the
 * end. */
#include "adapters/record.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"

#define TAIL_MAX    ((size_t)4 * 1024 * 1024)
#define ENTRIES_MAX 50000		 /* read in one search */
#define HEAD_MAX    ((size_t)256 * 1024) /* of a file that is searched for */
#define HEADS_MAX   1000		 /* such files, */
#define PARSED_MAX  ((size_t)8 * 1024 * 1024) /* of them all */

/* Reads the last bytes, from the first whole line on. */
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
	_buf_ struct buf tail = {0};
	bool more = true;
	size_t end;

	read_tail(fd, &tail);
	end = tail.len;
	while (more && end > 0) {
		const char *nl = memrchr(tail.data, '\n', end);
		size_t from = nl ? (size_t)(nl - tail.data) + 1 : 0;
		_json_ cJSON *o =
		    end > from
			? json_parse_object(tail.data + from, end - from, NULL)
			: NULL;

		if (o)
			more = on_line(s, o);
		end = from > 0 ? from - 1 : 0;
	}
}

bool record_id_ok(const char *id)
{
	static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "abcdefghijklmnopqrstuvwxyz"
				      "0123456789._:-";
	size_t len = strlen(id);

	return len > 0 && len <= 128 && id[0] != '-' && id[0] != '.' &&
	       strspn(id, allowed) == len;
}

struct walk {
	const struct record_kind *kind;
	const char *id;	 /* NULL: search … */
	const char *cwd; /* … the newest that ran there … */
	int64_t since;	 /* … since then */
	int fd, left, heads;
	size_t parsed;	/* bytes; an agent may have filled its own directory */
	struct stat st; /* of the file that was chosen */
	char *newest;
	record_file *each; /* not NULL: chooses none, called with each file */
	void *ctx;
};

static cJSON *parse_head(struct walk *w, const char *text, size_t len)
{
	if (len > PARSED_MAX - w->parsed)
		return NULL;
	w->parsed += len;
	return json_parse_object(text, len, NULL);
}

/* Returns the object of the first line, or of the whole file; NULL: there is
 * none. */
static cJSON *read_head(struct walk *w, int fd)
{
	_buf_ struct buf head = {0};
	ssize_t n = pread(fd, buf_room(&head, HEAD_MAX), HEAD_MAX, 0);
	const char *nl = n > 0 ? memchr(head.data, '\n', (size_t)n) : NULL;
	cJSON *o = NULL;

	if (nl)
		o = parse_head(w, head.data, (size_t)(nl - head.data));
	if (!o && n > 0)
		o = parse_head(w, head.data, (size_t)n);
	return o;
}

const cJSON *record_member(const cJSON *o, const char *path)
{
	if (!path)
		return NULL;
	for (const char *s = path; s; s = strchr(s, '.')) {
		_free_ char *name = NULL;

		s += *s == '.';
		name = mem_strndup(s, strcspn(s, "."));
		o = json_get(o, name);
	}
	return o;
}

/* Returns the text of the member, or "". */
static const char *member(const cJSON *o, const char *path)
{
	const cJSON *v = record_member(o, path);

	return cJSON_IsString(v) ? v->valuestring : "";
}

/* Returns the id of the file's conversation, to be freed; NULL: it is not the
 * one that is searched for. */
static char *id_of(struct walk *w, int fd, const char *name)
{
	const struct record_kind *k = w->kind;
	_json_ cJSON *o = read_head(w, fd);
	const char *dot = strrchr(name, '.');
	char *id = k->id ? mem_strdup(member(o, k->id))
			 : mem_strndup(name, dot ? (size_t)(dot - name)
						 : strlen(name));

	if (o && strcmp(member(o, k->cwd), w->cwd) == 0 &&
	    !record_is_before(o, w->since) &&
	    (!k->is_users || k->is_users(o)) && record_id_ok(id))
		return id;
	free(id);
	return NULL;
}

static bool is_larger(const struct walk *w, const struct stat *st)
{
	return w->fd < 0 || st->st_size > w->st.st_size;
}

static bool is_newer(const struct walk *w, const struct stat *st)
{
	return st->st_mtime >= w->since / 1000 &&
	       (!w->newest || st->st_mtime > w->st.st_mtime);
}

/* Keeps fd if it is the better file, or closes it. */
static void choose_file(struct walk *w, int fd, const char *name)
{
	struct stat st;
	char *id;

	if (fstat(fd, &st) < 0) {
		; /* gone */
	} else if (w->each) {
		w->each(w->ctx, fd, &st);
	} else if (!w->id && is_newer(w, &st) && w->heads-- > 0 &&
		   (id = id_of(w, fd, name))) {
		int older = w->fd;

		free(w->newest);
		w->newest = id;
		w->st = st;
		w->fd = fd;
		fd = older;
	} else if (w->id && is_larger(w, &st) &&
		   (!w->kind->fits || w->kind->fits(w->id, fd))) {
		int smaller = w->fd;

		w->fd = fd;
		w->st = st;
		fd = smaller;
	}
	file_close(fd);
}

/* Visits what pattern matches below the directory at; follows no link. */
static void walk_below(struct walk *w, int at, const char *pattern)
{
	size_t len = strcspn(pattern, "/");
	const char *below = pattern[len] ? pattern + len + 1 : NULL, *name;
	_free_ char *part = mem_strndup(pattern, len);
	DIR *d = file_list(at, ".");

	while ((!below || w->fd < 0 || !w->id) && w->left-- > 0 &&
	       (name = file_list_next(d))) {
		int fd = -1;

		if (*name == '.' || fnmatch(part, name, 0) != 0)
			continue;
		if (!below)
			fd = file_open(at, name, O_RDONLY, NULL);
		else
			fd = openat(at, name, FILE_DIR_FLAGS);
		if (fd >= 0 && !below) {
			choose_file(w, fd, name);
		} else if (fd >= 0) {
			walk_below(w, fd, below);
			close(fd);
		}
	}
	file_list_end(d);
}

static void walk(struct walk *w, const char *dir)
{
	const char *pattern = w->kind->pattern, *id = w->id ? w->id : "*";
	size_t n = strcspn(pattern, "%"), id_len = strlen(id);
	char *whole;
	int at;

	if (w->kind->id_len && id_len > w->kind->id_len)
		id_len = w->kind->id_len;
	whole = pattern[n] ? mem_printf("%.*s%.*s%s", (int)n, pattern,
					(int)id_len, id, pattern + n + 1)
			   : mem_strdup(pattern);
	w->fd = -1;
	w->left = ENTRIES_MAX;
	w->heads = HEADS_MAX;
	at = open(dir, FILE_DIR_FLAGS);
	if (at >= 0)
		walk_below(w, at, whole);
	file_close(at);
	free(whole);
}

int record_open(const struct record_kind *k, const char *dir, const char *id)
{
	struct walk w = {.kind = k, .id = id};

	walk(&w, dir);
	return w.fd;
}

char *record_newest(const struct record_kind *k, const char *dir,
		    const char *cwd, int64_t since, int *fd)
{
	struct walk w = {.kind = k, .cwd = cwd, .since = since, .fd = -1};

	if (dir && cwd && k->cwd)
		walk(&w, dir);
	if (fd)
		*fd = w.fd;
	else
		file_close(w.fd);
	return w.newest;
}

void record_each(const char *pattern, const char *dir, const char *id,
		 record_file *each, void *ctx)
{
	const struct record_kind k = {.pattern = pattern};
	struct walk w = {.kind = &k, .id = id, .each = each, .ctx = ctx};

	walk(&w, dir);
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

/* True if text begins with told, which may be cut. Ignores leading blanks. */
static bool begins_with(const char *text, const char *told)
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
	known = s.answer.len > 0 && begins_with(s.answer.data, told);
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
