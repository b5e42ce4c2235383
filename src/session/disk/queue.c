/*
 * queue.c - the queued messages on disk.
 *
 * The file's name contains the state, so each change is one rename, and of two
 * processes that change the same message one fails.
 */
#include "session/disk/queue.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "session/state.h"

#define NAME_SIZE      48
#define ORDER	       "queue.order"
#define LAST	       "queue.last"
#define LAST_LEN       20
#define LOCK_MS	       500
#define SWEEP_MS       60000 /* longer than a running writer needs */
#define FILE_BYTES_MAX ((size_t)4 * 1024 * 1024)

static const char *const states[] = {
    [QUEUE_WAITS] = "queued",
    [QUEUE_TYPING] = "typing",
    [QUEUE_CANCELLED] = "cancelled",
};
#define STATES (sizeof states / sizeof *states)

void queued_finish(struct queued *m)
{
	free(m->text);
	m->text = NULL;
}

static void file_name(char out[NAME_SIZE], int64_t id, enum queue_state state)
{
	snprintf(out, NAME_SIZE, "%010lld.%s", (long long)id, states[state]);
}

/* Creates queue/ if make is set, but not in a session that was removed. */
static int open_queue(const char *session_dir, bool make, struct err *err)
{
	_free_ char *path = file_join(session_dir, "queue");
	int fd;

	if (make && mkdir(path, 0700) < 0 && errno != EEXIST)
		return err_errno(err, "make directory %s", path);
	if (make && file_private_dir(path, err) < 0)
		return -1;
	fd = open(path, FILE_DIR_FLAGS);
	return fd < 0 ? err_errno(err, "open %s", path) : fd;
}

static int err_not_queued(int64_t id, struct err *err)
{
	err_set(err, ERR_CONFLICT, "message %lld is not queued", (long long)id);
	return err_hint(err, "`afw send --list` shows the queue");
}

/* -- lists ---------------------------------------------------------------- */

static int by_rank(const void *a, const void *b)
{
	const struct queue_entry *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static void sort_queue(int fd, struct queue_entry *v, size_t n)
{
	struct err none;
	_json_ cJSON *o = json_load(fd, "../" ORDER, FILE_BYTES_MAX, &none);
	const cJSON *m;
	int rank = INT_MIN;

	cJSON_ArrayForEach (m, json_get(o, "messages"))
		for (size_t i = 0; i < n; i++)
			if (m->valuedouble == (double)v[i].id)
				v[i].rank = rank++;
	qsort(v, n, sizeof *v, by_rank);
}

static bool parse_name(const char *name, struct queue_entry *out)
{
	char *end;

	*out = (struct queue_entry){.id = strtoll(name, &end, 10)};
	for (size_t i = 0; out->id > 0 && *end == '.' && i < STATES; i++)
		if (strcmp(end + 1, states[i]) == 0) {
			out->state = (enum queue_state)i;
			return true;
		}
	return false;
}

/* Returns fewer than there are if err is set. */
static size_t list_queue(int fd, struct queue_entry v[QUEUE_LIST_MAX],
			 struct err *err)
{
	DIR *d = file_list(fd, ".");
	const char *name;
	size_t n = 0;

	if (!d)
		err_errno(err, "list the queue");
	while (errno = 0, n < QUEUE_LIST_MAX && (name = file_list_next(d)))
		n += parse_name(name, &v[n]);
	if (d && errno)
		err_errno(err, "list the queue");
	file_list_end(d);
	return n;
}

size_t queue_list(const char *session_dir,
		  struct queue_entry out[QUEUE_LIST_MAX], struct err *err)
{
	/* Usually there is no queue, which is not an error. */
	_close_ int fd = open_queue(session_dir, false, NULL);
	size_t n;

	if (fd < 0) {
		if (errno != ENOENT)
			err_errno(err, "open %s/queue", session_dir);
		return 0;
	}
	n = list_queue(fd, out, err);
	if (n > 1)
		sort_queue(fd, out, n);
	return n;
}

size_t queue_count(const char *session_dir)
{
	struct queue_entry v[QUEUE_LIST_MAX];
	size_t listed = queue_list(session_dir, v, NULL), n = 0;

	for (size_t i = 0; i < listed; i++)
		n += v[i].state != QUEUE_CANCELLED;
	return n;
}

static int read_at(int fd, const struct queue_entry *e, struct queued *out,
		   struct err *err)
{
	char name[NAME_SIZE];
	_json_ cJSON *o = NULL;

	*out = (struct queued){.id = e->id, .state = e->state};
	file_name(name, e->id, e->state);
	o = json_load(fd, name, FILE_BYTES_MAX, err);
	if (!o && errno == ENOENT)
		return err_not_queued(e->id, err);
	if (!o && !file_is_unusable(errno))
		return -1;
	if (json_str(o, "text"))
		out->text = mem_strdup(json_str(o, "text"));
	out->len = out->text ? strlen(out->text) : 0;
	out->flags = (unsigned)json_int(o, "flags", 0);
	out->at = json_int(o, "at", 0);
	return 0;
}

int queue_read(const char *session_dir, const struct queue_entry *e,
	       struct queued *out, struct err *err)
{
	_close_ int fd = open_queue(session_dir, false, err);

	*out = (struct queued){0};
	return fd < 0 ? -1 : read_at(fd, e, out, err);
}

/* -- numbers -------------------------------------------------------------- */

/* Opens the file of the last number; its lock is held until the file is
 * closed. */
static int lock_last(const char *session_dir, struct err *err)
{
	_free_ char *path = file_join(session_dir, LAST);
	_close_ int fd = file_open(AT_FDCWD, path, O_RDWR | O_CREAT, err);

	if (fd < 0 || file_lock(fd, LOCK_MS) == 0)
		return TAKE_FD(fd);
	if (errno == EAGAIN)
		return err_set(err, ERR_CONFLICT,
			       "another afw is using its queue");
	err_errno(err, "lock %s", path);
	return file_hint_locks(err);
}

/* The file is not synced: after a crash of the machine it may be old or empty,
 * but the messages are all there. */
static int64_t read_last(int fd, const char *session_dir)
{
	char text[LAST_LEN + 1] = "";
	ssize_t len = fd < 0 ? 0 : pread(fd, text, LAST_LEN, 0);
	int64_t last = len == LAST_LEN ? strtoll(text, NULL, 10) : 0;
	struct queue_entry v[QUEUE_LIST_MAX];
	size_t n = queue_list(session_dir, v, NULL);
	_state_ struct state state = {0};

	if (last <= 0 && state_load(&state, session_dir, NULL) == 0)
		last = state.messages;
	for (size_t i = 0; i < n; i++)
		if (v[i].id > last)
			last = v[i].id;
	return last;
}

int64_t queue_number(const char *session_dir, struct err *err)
{
	_close_ int fd = lock_last(session_dir, err);
	char text[LAST_LEN + 4];
	int64_t number;

	if (fd < 0)
		return -1;
	number = read_last(fd, session_dir) + 1;
	snprintf(text, sizeof text, "%019lld\n", (long long)number);
	if (pwrite(fd, text, LAST_LEN, 0) != LAST_LEN)
		return err_errno(err, "write %s", LAST);
	return number;
}

int64_t queue_last(const char *session_dir)
{
	_free_ char *path = file_join(session_dir, LAST);
	_close_ int fd = file_open(AT_FDCWD, path, O_RDONLY, NULL);

	return read_last(fd, session_dir);
}

/* -- changes -------------------------------------------------------------- */

static int check_room(int fd, size_t len, struct err *err)
{
	struct queue_entry v[QUEUE_LIST_MAX];
	struct err why = {0};
	size_t listed = list_queue(fd, v, &why), n = 0, bytes = 0;

	for (size_t i = 0; i < listed && !why.kind; i++) {
		_queued_ struct queued m = {0};

		if (v[i].state == QUEUE_CANCELLED)
			continue;
		if (read_at(fd, &v[i], &m, &why) == 0) {
			n++;
			bytes += m.len;
		} else if (why.kind == ERR_CONFLICT) {
			why = (struct err){0}; /* it was delivered since */
		}
	}
	if (why.kind) {
		*err = why;
		return -1;
	}
	if (n < QUEUE_MAX && bytes + len <= QUEUE_BYTES_MAX)
		return 0;
	err_set(err, ERR_LIMIT,
		"its queue is full: %zu messages of %zu KiB wait already, at "
		"most %d of %zu KiB may",
		n, (bytes + 1023) / 1024, QUEUE_MAX, QUEUE_BYTES_MAX / 1024);
	return err_hint(err, "`afw send --list` lists them, `afw send NAME "
			     "--cancel ID` removes one");
}

int queue_add(const char *session_dir, const struct queued *m, struct err *err)
{
	_close_ int fd = open_queue(session_dir, true, err);
	_json_ cJSON *o = cJSON_CreateObject();
	char name[NAME_SIZE];
	_free_ char *copy = mem_strndup(m->text, m->len);

	json_set_int(o, "v", 1);
	json_set_int(o, "flags", m->flags);
	json_set_int(o, "at", m->at);
	json_set_str(o, "text", copy);
	file_name(name, m->id, QUEUE_WAITS);
	if (fd < 0 || check_room(fd, m->len, err) < 0)
		return -1;
	if (json_save(fd, name, o, true, err) == 0)
		return 0;
	unlinkat(fd, name, 0); /* the sender gets the error */
	return -1;
}

static int change_state(const char *session_dir, int64_t id,
			enum queue_state from, enum queue_state to,
			struct err *err)
{
	char from_name[NAME_SIZE], to_name[NAME_SIZE];
	_close_ int fd = open_queue(session_dir, false, err);

	if (fd < 0)
		return errno == ENOENT ? err_not_queued(id, err) : -1;
	file_name(from_name, id, from);
	file_name(to_name, id, to);
	if (renameat(fd, from_name, fd, to_name) == 0 && fsync(fd) == 0)
		return 0;
	if (errno != ENOENT)
		return err_errno(err, "mark message %lld as %s", (long long)id,
				 states[to]);
	file_name(to_name, id, QUEUE_TYPING);
	if (faccessat(fd, to_name, F_OK, 0) < 0)
		return err_not_queued(id, err);
	return err_set(
	    err, ERR_CONFLICT,
	    "message %lld is being typed, or was when its supervisor "
	    "was killed",
	    (long long)id);
}

int queue_claim(const char *session_dir, int64_t id, struct err *err)
{
	return change_state(session_dir, id, QUEUE_WAITS, QUEUE_TYPING, err);
}

int queue_unclaim(const char *session_dir, int64_t id, struct err *err)
{
	return change_state(session_dir, id, QUEUE_TYPING, QUEUE_WAITS, err);
}

int queue_cancel(const char *session_dir, int64_t id, struct err *err)
{
	return change_state(session_dir, id, QUEUE_WAITS, QUEUE_CANCELLED, err);
}

/* Renames the file to to; NULL: removes it. */
static void move_message(const char *session_dir, int64_t id, const char *to)
{
	_close_ int fd = open_queue(session_dir, false, NULL);
	char name[NAME_SIZE];

	if (fd < 0)
		return;
	for (size_t i = 0; i < STATES; i++) {
		file_name(name, id, (enum queue_state)i);
		if (to)
			renameat(fd, name, fd, to);
		else
			unlinkat(fd, name, 0);
	}
	fsync(fd);
}

void queue_remove(const char *session_dir, int64_t id)
{
	move_message(session_dir, id, NULL);
}

void queue_quarantine(const char *session_dir, int64_t id)
{
	char to[NAME_SIZE];

	snprintf(to, sizeof to, "%010lld.corrupt-%lld", (long long)id,
		 (long long)clock_wall_ms());
	move_message(session_dir, id, to);
}

void queue_sweep(const char *session_dir)
{
	_free_ char *path = file_join(session_dir, "queue");

	file_sweep(AT_FDCWD, path, SWEEP_MS);
}

/* -- the order ------------------------------------------------------------ */

static int save_order(const char *session_dir, const struct queue_entry *v,
		      size_t n, struct err *err)
{
	_free_ char *path = file_join(session_dir, ORDER);
	_json_ cJSON *o = cJSON_CreateObject();
	cJSON *ids;

	json_set_int(o, "v", 1);
	ids = json_set_array(o, "messages");
	for (size_t i = 0; i < n; i++)
		cJSON_AddItemToArray(ids, cJSON_CreateNumber((double)v[i].id));
	return json_save(AT_FDCWD, path, o, true, err);
}

static size_t find_entry(const struct queue_entry *v, size_t n, int64_t id)
{
	size_t i = 0;

	while (i < n && (v[i].id != id || v[i].state != QUEUE_WAITS))
		i++;
	return i;
}

int queue_move(const char *session_dir, int64_t id, int64_t before,
	       struct err *err)
{
	_close_ int lock = lock_last(session_dir, err);
	struct queue_entry v[QUEUE_LIST_MAX], moved;
	struct err why = {0};
	size_t n, from, to;

	if (lock < 0)
		return -1;
	n = queue_list(session_dir, v, &why);
	if (why.kind) {
		*err = why;
		return -1;
	}
	from = find_entry(v, n, id);
	to = find_entry(v, n, before);
	if (from == n || to == n)
		return err_not_queued(from == n ? id : before, err);
	moved = v[from];
	for (; from > to; from--)
		v[from] = v[from - 1];
	for (; from + 1 < to; from++)
		v[from] = v[from + 1];
	v[from] = moved;
	return save_order(session_dir, v, n, err);
}
