/* queue.c - messages that wait, on disk. */
#include "session/disk/queue.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "session/state.h"

#define NAME_SIZE      48
#define ORDER	       "queue.order"
#define FILE_BYTES_MAX ((size_t)4 * 1024 * 1024)
#define ENTRIES_MAX    (2 * QUEUE_MAX)

int queue_room(size_t n, size_t bytes, size_t len, struct err *err)
{
	if (n < QUEUE_MAX && bytes + len <= QUEUE_BYTES_MAX)
		return 0;
	err_set(err, ERR_LIMIT,
		"its queue is full: %zu messages of %zu KiB wait already, at "
		"most %d of %zu KiB may",
		n, (bytes + 1023) / 1024, QUEUE_MAX, QUEUE_BYTES_MAX / 1024);
	return err_hint(err, "`afw send --list` lists them, `afw send NAME "
			     "--cancel ID` removes one");
}

static int open_queue(const char *session_dir, bool make, struct err *err)
{
	_free_ char *path = file_join(session_dir, "queue");
	int fd = -1;

	if (!make || file_private_dir(path, err) == 0) {
		fd = open(path, FILE_DIR_FLAGS);
		if (fd < 0)
			err_errno(err, "open %s", path);
	}
	return fd;
}

static void file_name(char out[NAME_SIZE], int64_t id, bool typing)
{
	snprintf(out, NAME_SIZE, "%010lld.%s", (long long)id,
		 typing ? "typing" : "queued");
}

int queue_put(const char *session_dir, const struct queued *m, struct err *err)
{
	_close_ int fd = open_queue(session_dir, true, err);
	_json_ cJSON *o = cJSON_CreateObject();
	char name[NAME_SIZE];
	_free_ char *copy = mem_strndup(m->text, m->len);

	json_set_int(o, "v", 1);
	json_set_int(o, "flags", m->flags);
	json_set_int(o, "at", m->at);
	json_set_str(o, "text", copy);
	file_name(name, m->id, false);
	return fd < 0 ? -1 : json_save(fd, name, o, true, err);
}

int queue_typing(const char *session_dir, int64_t id, struct err *err)
{
	char from[NAME_SIZE], to[NAME_SIZE];
	_close_ int fd = open_queue(session_dir, false, err);

	if (fd < 0)
		return -1;
	file_name(from, id, false);
	file_name(to, id, true);
	if (renameat(fd, from, fd, to) < 0 || fsync(fd) < 0)
		return err_errno(err, "mark message %lld as being typed",
				 (long long)id);
	return 0;
}

/* Renames it to to; NULL: removes it. */
static void retire(const char *session_dir, int64_t id, const char *to)
{
	_close_ int fd = open_queue(session_dir, false, NULL);
	char name[NAME_SIZE];

	if (fd < 0)
		return;
	for (int typing = 0; typing < 2; typing++) {
		file_name(name, id, typing);
		if (to)
			renameat(fd, name, fd, to);
		else
			unlinkat(fd, name, 0);
	}
	fsync(fd);
}

void queue_remove(const char *session_dir, int64_t id)
{
	retire(session_dir, id, NULL);
}

void queue_quarantine(const char *session_dir, int64_t id)
{
	char to[NAME_SIZE];

	snprintf(to, sizeof to, "%010lld.corrupt-%lld", (long long)id,
		 (long long)clock_wall_ms());
	retire(session_dir, id, to);
}

bool queue_move(int64_t *ids, size_t n, int64_t id, int64_t before)
{
	size_t from = 0, to = 0;

	while (from < n && ids[from] != id)
		from++;
	while (to < n && ids[to] != before)
		to++;
	if (from == n || to == n)
		return false;
	for (; from > to; from--)
		ids[from] = ids[from - 1];
	for (; from + 1 < to; from++)
		ids[from] = ids[from + 1];
	ids[from] = id;
	return true;
}

int queue_order(const char *session_dir, const int64_t *ids, size_t n,
		struct err *err)
{
	_free_ char *path = file_join(session_dir, ORDER);
	_json_ cJSON *o = cJSON_CreateObject();
	cJSON *list;

	json_set_int(o, "v", 1);
	list = json_set_array(o, "messages");
	for (size_t i = 0; i < n; i++)
		cJSON_AddItemToArray(list, cJSON_CreateNumber((double)ids[i]));
	return json_save(AT_FDCWD, path, o, true, err);
}

struct entry {
	int64_t id;
	bool typing;
	int rank;
};

static int by_rank(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static void sort(int fd, struct entry *v, size_t n)
{
	struct err none;
	cJSON *o = json_load(fd, "../" ORDER, FILE_BYTES_MAX, &none);
	const cJSON *m;
	int rank = INT_MIN;

	cJSON_ArrayForEach (m, cJSON_GetObjectItemCaseSensitive(o, "messages"))
		for (size_t i = 0; i < n; i++)
			if (m->valuedouble == (double)v[i].id)
				v[i].rank = rank++;
	cJSON_Delete(o);
	qsort(v, n, sizeof *v, by_rank);
}

/* Fewer than there are where err is filled. */
static size_t list(int fd, struct entry *v, struct err *err)
{
	DIR *d = file_list(fd, ".");
	const char *name;
	size_t n = 0;

	if (!d)
		err_errno(err, "list the queue");
	while (errno = 0, n < ENTRIES_MAX && (name = file_list_next(d))) {
		char *end;
		long long id = strtoll(name, &end, 10);

		if (id <= 0 || (strcmp(end, ".queued") != 0 &&
				strcmp(end, ".typing") != 0))
			continue;
		v[n++] = (struct entry){.id = id, .typing = end[1] == 't'};
	}
	if (d && errno)
		err_errno(err, "list the queue");
	file_list_end(d);
	sort(fd, v, n);
	return n;
}

static void read_one(int fd, const struct entry *e, queue_fn fn, void *ctx,
		     struct err *err)
{
	struct queued m = {.id = e->id, .typing = e->typing};
	char name[NAME_SIZE];
	struct err why = {0};
	_json_ cJSON *o = NULL;

	file_name(name, e->id, e->typing);
	o = json_load(fd, name, FILE_BYTES_MAX, &why);
	if (!o && errno == ENOENT)
		return; /* it has gone in since */
	if (!o && !file_is_bad(errno)) {
		if (err)
			*err = why;
		return;
	}
	m.text = json_str(o, "text");
	m.len = m.text ? strlen(m.text) : 0;
	m.flags = (unsigned)json_int(o, "flags", 0);
	m.at = json_int(o, "at", 0);
	fn(ctx, &m);
}

int64_t queue_load(const char *session_dir, bool sweep, queue_fn fn, void *ctx,
		   struct err *err)
{
	struct entry v[ENTRIES_MAX];
	struct err why = {0};
	_close_ int fd = open_queue(session_dir, false, &why);
	int64_t last = 0;
	size_t n;

	if (fd < 0) {
		if (errno != ENOENT && err)
			*err = why;
		return 0;
	}
	if (sweep)
		file_sweep(fd, ".");
	n = list(fd, v, err);
	for (size_t i = 0; i < n; i++) {
		if (v[i].id > last)
			last = v[i].id;
		if (fn)
			read_one(fd, &v[i], fn, ctx, err);
	}
	return last;
}

void queue_line(char out[QUEUE_LINE], const char *text, size_t len)
{
	size_t from = 0, n = 0;

	while (from < len && strchr(" \t\n", text[from]))
		from++;
	while (from + n < len && text[from + n] != '\n')
		n++;
	utf8_printable(out, QUEUE_LINE, text + from, n);
}

size_t queue_count(const char *session_dir)
{
	struct entry v[ENTRIES_MAX];
	_close_ int fd = open_queue(session_dir, false, NULL);
	size_t n = fd < 0 ? 0 : list(fd, v, NULL);

	return n;
}

void queue_record(const char *session_dir)
{
	int64_t last = queue_load(session_dir, true, NULL, NULL, NULL);
	_state_ struct state state = {0};

	file_sweep(AT_FDCWD, session_dir); /* of a run that died */
	if (state_load(&state, session_dir, NULL) == 0 &&
	    !phase_is_live(state.phase)) {
		state.queued = (int64_t)queue_count(session_dir);
		if (state.messages < last)
			state.messages = last;
		state_save(&state, session_dir, false, NULL);
	}
}
