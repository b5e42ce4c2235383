/* ledger.c - appends rows to a file of all sessions, and reads them. */
#include "session/disk/ledger.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "session/disk/dirs.h"
#include "session/disk/follow.h"

#define NAME	       "usage.jsonl"
#define TURNS_MAX      1000000 /* of a row: more is nonsense */
#define LONGEST_DAY_MS (25 * 60 * 60 * 1000LL)
#define ROW_START      "{\"at\":\"" /* every row begins so: no parsing by day */

/* -- writing --------------------------------------------------------------- */

static void print_row(const struct ledger_row *row, struct buf *out)
{
	_json_ cJSON *o = cJSON_CreateObject();
	char at[CLOCK_RFC3339_SIZE];

	clock_format(row->at, at);
	json_set_str(o, "at", at);
	json_set_str(o, "session", row->session);
	json_set_str(o, "name", row->name);
	json_set_text(o, "repository", row->repository);
	json_set_str(o, "harness", row->harness);
	json_set_text(o, "model", row->model[0] ? row->model : NULL);
	json_set_int(o, "turns", row->turns);
	tokens_set_json(o, &row->tokens);
	/* Another one may have left a part of a row, on a full disk. */
	buf_addc(out, '\n');
	json_print(o, out);
	buf_addc(out, '\n');
}

/* Two sessions may find it full at once: the lock is of the file itself, and
 * the second one finds another file in its place. */
static void rotate(int fd, const char *path)
{
	_free_ char *old = mem_printf("%s.1", path);
	struct stat st, now;

	if (fstat(fd, &st) == 0 && st.st_size > LEDGER_FILE_MAX &&
	    flock(fd, LOCK_EX | LOCK_NB) == 0 && lstat(path, &now) == 0 &&
	    now.st_ino == st.st_ino && now.st_dev == st.st_dev)
		rename(path, old);
}

int ledger_append(const struct ledger_row *row, struct err *err)
{
	_free_ char *data = dirs_data(err);
	_free_ char *path = data ? file_join(data, NAME) : NULL;
	_buf_ struct buf line = {0};
	_close_ int fd = -1;

	if (!path)
		return -1;
	print_row(row, &line);
	fd = file_open(AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT, err);
	if (fd < 0)
		return -1;
	if (write(fd, line.data, line.len) != (ssize_t)line.len)
		return err_errno(err, "write %s", path);
	rotate(fd, path);
	return 0;
}

/* -- reading --------------------------------------------------------------- */

struct reader {
	char from[CLOCK_RFC3339_SIZE];
	ledger_fn *fn;
	void *ctx;
};

static int on_line(void *ctx, const char *line, size_t len)
{
	struct reader *r = ctx;
	size_t start = sizeof ROW_START - 1, at = strlen(r->from);
	_json_ cJSON *o = NULL;
	struct ledger_row row;

	/* Times of this form compare as texts. */
	if (len < start + at || memcmp(line, ROW_START, start) != 0 ||
	    memcmp(line + start, r->from, at) < 0 ||
	    !(o = json_parse_object(line, len, NULL)))
		return 0;
	row = (struct ledger_row){
	    .at = clock_parse(json_str_or(o, "at", "")),
	    .session = json_str_or(o, "session", ""),
	    .name = json_str_or(o, "name", ""),
	    .repository = json_str_or(o, "repository", ""),
	    .harness = json_str_or(o, "harness", ""),
	    .model = json_str_or(o, "model", ""),
	    .turns = json_int(o, "turns", 0),
	};
	tokens_read_json(o, &row.tokens);
	if (row.turns < 0 || row.turns > TURNS_MAX)
		row.turns = 0;
	r->fn(r->ctx, &row);
	return 0;
}

int ledger_read(int64_t from, ledger_fn *fn, void *ctx)
{
	_free_ char *data = dirs_data(NULL);
	struct reader r = {.fn = fn, .ctx = ctx};
	struct follow file;
	int failed;

	if (!data)
		return 0;
	clock_format(from, r.from);
	follow_open(&file, data, NAME);
	follow_next(&file, on_line, &r);
	failed = file.failed;
	follow_close(&file);
	return failed;
}

/* A clock that was wrong once may have left rows of the future. */
static void add_row(void *ctx, const struct ledger_row *row)
{
	struct ledger_sum *s = ctx;

	if (row->at < s->from + LONGEST_DAY_MS)
		tokens_add(&s->tokens, &row->tokens);
}

void ledger_sum(struct ledger_sum *s, int64_t from)
{
	_free_ char *data = dirs_data(NULL);
	_free_ char *path = data ? file_join(data, NAME) : NULL;
	struct stat st = {0};

	if (!path || stat(path, &st) < 0 ||
	    (s->from == from && s->ino == st.st_ino && s->size == st.st_size))
		return;
	*s = (struct ledger_sum){
	    .from = from, .size = st.st_size, .ino = st.st_ino};
	ledger_read(from, add_row, s);
}

int64_t ledger_day(int64_t wall_ms, bool next)
{
	time_t sec = wall_ms / 1000;
	struct tm tm;

	if (!localtime_r(&sec, &tm))
		return wall_ms;
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	tm.tm_mday += next;
	tm.tm_isdst = -1;
	return (int64_t)mktime(&tm) * 1000;
}
