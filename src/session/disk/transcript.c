/*
 * transcript.c - the terminal's output on disk, as asciicast v2, bounded.
 *
 * Bytes are gathered and written as one event with the time of the first of
 * them: an event per read would double the size and the work.
 */
#include "session/disk/transcript.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"

#define HOLD_BYTES    ((size_t)64 * 1024)
#define EXACT_HOLD_MS 5
#define ESCAPED_MAX   6 /* bytes that one byte becomes: \u001b */

struct transcript {
	char *path, *old_path;
	int fd;
	int cols, rows;
	int64_t half_bytes, size;
	int64_t start_ms; /* wall, of this half's header */
	int64_t held_at;  /* wall, of the first byte in held */
	struct buf held, line;
	bool exact;
	char *failed;
};

static void set_failed(struct transcript *t, const char *what)
{
	t->failed =
	    mem_printf("the transcript stopped: %s: %s", what, strerror(errno));
	file_reset(&t->fd);
}

static void write_line(struct transcript *t)
{
	if (t->fd < 0)
		return;
	if (file_write_all(t->fd, t->line.data, t->line.len) < 0)
		set_failed(t, "write");
	else
		t->size += (int64_t)t->line.len;
}

static void put_header(struct transcript *t)
{
	t->start_ms = clock_wall_ms();
	buf_clear(&t->line);
	buf_addf(&t->line,
		 "{\"version\": 2, \"width\": %d, \"height\": %d, "
		 "\"timestamp\": %lld, \"afw_start_ms\": %lld}\n",
		 t->cols, t->rows, (long long)(t->start_ms / 1000),
		 (long long)t->start_ms);
	write_line(t);
}

static void open_new(struct transcript *t)
{
	t->size = 0;
	t->fd = file_open(AT_FDCWD, t->path,
			  O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, NULL);
	if (t->fd < 0)
		set_failed(t, "open");
	else
		put_header(t);
}

static void rotate_files(struct transcript *t)
{
	file_reset(&t->fd);
	if (rename(t->path, t->old_path) < 0) {
		set_failed(t, "rename");
		return;
	}
	open_new(t);
}

struct transcript *transcript_open(const char *session_dir, int cols, int rows,
				   int64_t max_bytes, struct err *err)
{
	struct transcript *t = mem_alloc(sizeof *t);
	struct stat st;

	t->path = file_join(session_dir, "transcript");
	t->old_path = file_join(session_dir, "transcript.1");
	t->cols = cols;
	t->rows = rows;
	t->half_bytes = max_bytes / 2;
	t->fd = file_open(AT_FDCWD, t->path, O_WRONLY | O_APPEND, NULL);
	if (t->fd >= 0 && fstat(t->fd, &st) == 0 && st.st_size > 0) {
		rotate_files(t); /* each start has its own clock */
	} else {
		file_close(t->fd);
		open_new(t);
	}
	if (t->fd < 0) {
		err_set(err, ERR_FAILED, "%s", t->failed);
		transcript_close(t);
		return NULL;
	}
	return t;
}

/* Writes a byte that JSON must escape, or that a terminal would interpret. */
static char *put_escaped(char *to, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	static const char letters[256] = {
	    ['"'] = '"',  ['\\'] = '\\', ['\n'] = 'n', ['\r'] = 'r',
	    ['\t'] = 't', ['\b'] = 'b',	 ['\f'] = 'f',
	};

	if (c >= 0x80)
		return mempcpy(to, "\xef\xbf\xbd", 3); /* U+FFFD */
	*to++ = '\\';
	if (letters[c]) {
		*to++ = letters[c];
		return to;
	}
	to = mempcpy(to, "u00", 3);
	*to++ = hex[c >> 4];
	*to++ = hex[c & 15];
	return to;
}

static void put_json(struct buf *out, const char *data, size_t len)
{
	char *to = buf_room(out, len * ESCAPED_MAX);

	for (size_t i = 0, n; i < len; i += n) {
		uint32_t cp;

		n = ascii_run(data + i, len - i, 0x20, 0x7e, '"', '\\');
		to = mempcpy(to, data + i, n);
		i += n;
		if (i == len)
			break;
		n = (unsigned char)data[i] >= 0x80
			? utf8_decode(data + i, len - i, &cp)
			: 0;
		if (n > 0) {
			to = mempcpy(to, data + i, n);
			continue;
		}
		to = put_escaped(to, (unsigned char)data[i]);
		n = 1;
	}
	*to = '\0';
	out->len = (size_t)(to - out->data);
}

static void add_event(struct transcript *t, int64_t at, char kind,
		      const char *data, size_t len)
{
	int64_t ms = at - t->start_ms;

	if (ms < 0)
		ms = 0;
	buf_clear(&t->line);
	buf_addf(&t->line, "[%lld.%03d, \"%c\", \"", (long long)(ms / 1000),
		 (int)(ms % 1000), kind);
	put_json(&t->line, data, len);
	buf_adds(&t->line, "\"]\n");
	write_line(t);
	if (t->fd >= 0 && t->size > t->half_bytes)
		rotate_files(t);
}

static void flush_output(struct transcript *t, bool all)
{
	size_t len = all ? t->held.len : utf8_whole(t->held.data, t->held.len);

	if (len == 0)
		return;
	if (t->fd >= 0)
		add_event(t, t->held_at, 'o', t->held.data, len);
	buf_drop(&t->held, len);
}

void transcript_output(struct transcript *t, const char *data, size_t len)
{
	if (!t || t->fd < 0)
		return;
	if (t->exact && t->held.len &&
	    clock_wall_ms() - t->held_at >= EXACT_HOLD_MS)
		flush_output(t, false);
	if (t->held.len == 0)
		t->held_at = clock_wall_ms();
	buf_add(&t->held, data, len);
	if (t->held.len >= HOLD_BYTES)
		flush_output(t, false);
}

void transcript_flush(struct transcript *t)
{
	if (t)
		flush_output(t, false);
}

void transcript_resize(struct transcript *t, int cols, int rows)
{
	char text[32];

	if (!t)
		return;
	flush_output(t, true);
	t->cols = cols;
	t->rows = rows;
	snprintf(text, sizeof text, "%dx%d", cols, rows);
	add_event(t, clock_wall_ms(), 'r', text, strlen(text));
}

void transcript_marker(struct transcript *t, const char *label)
{
	if (!t)
		return;
	flush_output(t, true);
	add_event(t, clock_wall_ms(), 'm', label, strlen(label));
}

void transcript_exact(struct transcript *t)
{
	if (t)
		t->exact = true;
}

void transcript_event(struct transcript *t, const char *json)
{
	if (!t || !t->exact)
		return;
	flush_output(t, false);
	add_event(t, clock_wall_ms(), 'e', json, strlen(json));
}

const char *transcript_failed(const struct transcript *t)
{
	return t ? t->failed : NULL;
}

void transcript_close(struct transcript *t)
{
	if (!t)
		return;
	flush_output(t, true);
	file_close(t->fd);
	free(t->path);
	free(t->old_path);
	free(t->failed);
	buf_finish(&t->held);
	buf_finish(&t->line);
	free(t);
}

/* -- reading -------------------------------------------------------------- */

#define TIME_MAX_S 1e12 /* fits an int64_t in ms */

struct reading {
	struct transcript_tail *tail;
	transcript_fn fn;
	void *ctx;
};

static int header(struct reading *r, const cJSON *o)
{
	struct transcript_tail *t = r->tail;
	int64_t cols = json_int(o, "width", 80),
		rows = json_int(o, "height", 24);
	_free_ char *size =
	    mem_printf("%lldx%lld", (long long)cols, (long long)rows);
	int rc;

	t->half_ms = json_int(o, "afw_start_ms", 0);
	if (t->start_ms == 0)
		t->start_ms = t->half_ms;
	rc = r->fn(r->ctx, t->half_ms - t->start_ms, 'h', size, strlen(size));
	return rc;
}

/* A line that is broken is left out. */
static int take_line(void *ctx, const char *line, size_t len)
{
	struct reading *r = ctx;
	_json_ cJSON *v = cJSON_ParseWithLength(line, len);
	const cJSON *at = cJSON_GetArrayItem(v, 0);
	const cJSON *kind = cJSON_GetArrayItem(v, 1);
	const cJSON *data = cJSON_GetArrayItem(v, 2);
	int rc = 0;

	if (cJSON_IsObject(v))
		rc = header(r, v);
	else if (cJSON_IsArray(v) && cJSON_IsNumber(at) &&
		 at->valuedouble >= 0 && at->valuedouble < TIME_MAX_S &&
		 cJSON_IsString(kind) && cJSON_IsString(data))
		rc = r->fn(r->ctx,
			   r->tail->half_ms - r->tail->start_ms +
			       (int64_t)(at->valuedouble * 1000 + 0.5),
			   kind->valuestring[0], data->valuestring,
			   strlen(data->valuestring));
	return rc;
}

int transcript_tail_next(struct transcript_tail *t, transcript_fn fn, void *ctx)
{
	struct reading r = {t, fn, ctx};

	return follow_next(&t->file, take_line, &r);
}
