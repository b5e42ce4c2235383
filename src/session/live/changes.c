/*
 * changes.c - inotify on sessions' directories and on the board.
 *
 * Files are renamed into place, so IN_MOVED_TO says that a new state is there
 * as a whole. The lock is a file that the supervisor holds open for writing:
 * the kernel's closing it (IN_CLOSE_WRITE) is how a supervisor's end is seen,
 * even by SIGKILL. The event comes a moment before the lock is free, so after
 * it a wait ends a few times more.
 *
 * The board may change hundreds of times a second. changes_wait() compares the
 * slots of the watched sessions; changes_listen() lets the kernel collect
 * further events for a moment before it reads them.
 */
#include "session/live/changes.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/random.h"
#include "session/disk/board.h"

#define ROOT_MASK                                                              \
	(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR)
#define SHOWN_MASK                                                             \
	(IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_ATTRIB | IN_MOVE_SELF | \
	 IN_ONLYDIR)
#define WRITTEN_MASK (SHOWN_MASK | IN_CREATE | IN_MODIFY)
#define BOARD_MASK   (IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)

#define CHECK_MS      1000 /* interval of checks without a watch, in a loop */
#define WAIT_CHECK_MS 250  /* the same, in a wait */
#define PAUSE_MS      50   /* after an event of the board, in a loop */
#define AGAIN_MS      10   /* after a lock was closed */
#define AGAIN	      20
#define HEARTBEAT_MS  5000 /* in case of an event that was lost */

/* A session's directory. */
struct place {
	char *dir;
	int wd; /* -1: the system refused */
	enum changes_what what;
	int slot; /* on the board; and what the slot contains */
	uint64_t stamp;
};

struct changes {
	int fd, root_wd, board_wd; /* -1: refused, or not there */
	char *root, *board;	   /* NULL: not wanted */
	enum changes_what what;	   /* of what is in root */
	bool board_refused;
	struct place *v;
	size_t n;
	bool board_changed;
	changes_fn fn; /* or NULL */
	void *ctx;

	/* of a wait */
	bool seen;	     /* something has changed */
	int again;	     /* waits that end soon */
	struct board *added; /* as it was before the first wait; or NULL */

	/* of a loop */
	struct loop *loop;
	struct loop_io *io;
	struct loop_timer *check, *pause;
};

static void on_readable(void *ctx, int fd, short revents);

/* p: NULL, anything. */
static void report_change(struct changes *c, const struct place *p,
			  const char *file)
{
	c->seen = true;
	if (file && strcmp(file, "lock") == 0)
		c->again = AGAIN;
	if (c->fn)
		c->fn(c->ctx, p ? strrchr(p->dir, '/') + 1 : NULL, file);
}

/* -- what is watched ------------------------------------------------------ */

static bool is_there(const char *dir)
{
	_free_ char *path = file_join(dir, ".");

	return access(path, F_OK) == 0;
}

/* The places are sorted. Returns that of dir, or where it belongs. */
static size_t find_slot(const struct changes *c, const char *dir)
{
	size_t low = 0, high = c->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(c->v[middle].dir, dir) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct place *find_place(const struct changes *c, const char *dir)
{
	size_t i = find_slot(c, dir);

	return i < c->n && strcmp(c->v[i].dir, dir) == 0 ? &c->v[i] : NULL;
}

/* Returns false if there is no such directory. */
static bool watch_place(struct changes *c, struct place *p)
{
	uint32_t mask = p->what == CHANGES_WRITTEN ? WRITTEN_MASK : SHOWN_MASK;

	p->wd = -1;
	if (c->fd >= 0)
		p->wd = inotify_add_watch(c->fd, p->dir, mask);
	if (p->wd >= 0)
		return true;
	if (c->loop)
		loop_timer_set_earlier(c->check, CHECK_MS);
	return is_there(p->dir);
}

/* Removes a place whose directory is gone. */
static void remove_place(struct changes *c, struct place *p)
{
	struct place gone = *p;

	/* A moved directory would still be reported. */
	if (p->wd >= 0)
		inotify_rm_watch(c->fd, p->wd);
	c->n--;
	memmove(p, p + 1, (size_t)(c->v + c->n - p) * sizeof *p);
	report_change(c, &gone, NULL);
	free(gone.dir);
}

/* Many are added at once: the board is read once for them. An old stamp only
 * ends the first wait early. */
static void set_stamp(struct changes *c, struct place *p)
{
	const char *id = strrchr(p->dir, '/') + 1;
	_free_ char *root = mem_strndup(p->dir, (size_t)(id - 1 - p->dir));

	if (!c->added)
		c->added = board_open(root);
	if (c->added)
		p->stamp = board_get_stamp(c->added, id, &p->slot);
}

/* NULL: there is no such directory. */
static struct place *add_place(struct changes *c, const char *dir,
			       enum changes_what what)
{
	struct place p = {.dir = mem_strdup(dir), .what = what, .slot = -1};
	size_t at = find_slot(c, dir);

	if (!watch_place(c, &p)) {
		free(p.dir);
		return NULL;
	}
	if (!c->board && what == CHANGES_SHOWN)
		c->board = board_path_of(dir);
	if (!c->loop && what == CHANGES_SHOWN)
		set_stamp(c, &p);
	c->v = mem_grow(c->v, c->n, sizeof *c->v);
	memmove(&c->v[at + 1], &c->v[at], (c->n++ - at) * sizeof p);
	c->v[at] = p;
	return &c->v[at];
}

/* Adds the sessions in root that are not known yet. */
static void find_new(struct changes *c)
{
	_dir_ DIR *d = c->root ? opendir(c->root) : NULL;
	struct dirent *e;

	while (d && (e = readdir(d))) {
		_free_ char *dir = file_join(c->root, e->d_name);
		struct place *p = NULL;

		if (random_is_hex(e->d_name, SPEC_ID_LEN) &&
		    !find_place(c, dir))
			p = add_place(c, dir, c->what);
		if (p)
			report_change(c, p, NULL);
	}
}

/* Opens inotify, and watches root and the board. */
static void open_inotify(struct changes *c)
{
	if (c->fd < 0)
		c->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (c->fd < 0)
		return;
	if (c->loop && !c->io)
		c->io = loop_io_add(c->loop, c->fd, POLLIN, on_readable, c);
	if (c->root && c->root_wd < 0)
		c->root_wd = inotify_add_watch(c->fd, c->root, ROOT_MASK);
	errno = 0;
	if (c->board && c->board_wd < 0)
		c->board_wd = inotify_add_watch(c->fd, c->board, BOARD_MASK);
	/* A process that creates a board also changes a session. */
	c->board_refused = errno && errno != ENOENT;
}

bool changes_is_blind(const struct changes *c)
{
	bool blind =
	    c->fd < 0 || c->board_refused || (c->root && c->root_wd < 0);

	for (size_t i = 0; i < c->n; i++)
		blind |= c->v[i].wd < 0;
	return blind;
}

/* Tries again to watch the places that were refused, and reports each of them,
 * because it may have changed, also in the round in which it becomes watched.
 * all: reports the watched places, too. */
static void retry_watches(struct changes *c, bool all)
{
	open_inotify(c);
	for (size_t i = c->n; i-- > 0;) {
		struct place *p = &c->v[i];

		if (p->wd >= 0 && !all)
			continue;
		if (watch_place(c, p))
			report_change(c, p, NULL);
		else
			remove_place(c, p);
	}
	find_new(c);
}

/* -- what has happened ---------------------------------------------------- */

/* Returns whether lists show values of the file. */
static bool is_shown(const char *file)
{
	static const char *const files[] = {"state.json", "spec.json", "lock",
					    "groups", "pr.json"};

	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (strcmp(file, files[i]) == 0)
			return true;
	return false;
}

static void on_root_event(struct changes *c, const struct inotify_event *e)
{
	_free_ char *dir = NULL;
	struct place *p;

	if (e->len == 0 || !random_is_hex(e->name, SPEC_ID_LEN))
		return;
	dir = file_join(c->root, e->name);
	p = find_place(c, dir);
	if (!(e->mask & (IN_CREATE | IN_MOVED_TO))) {
		if (p)
			remove_place(c, p);
		return;
	}
	if (!p)
		p = add_place(c, dir, c->what);
	if (p)
		report_change(c, p, NULL);
}

static void on_event(struct changes *c, const struct inotify_event *e)
{
	if (e->mask & IN_Q_OVERFLOW) {
		retry_watches(c, true);
		report_change(c, NULL, NULL);
		return;
	}
	if (e->wd == c->board_wd && e->mask == IN_MODIFY) {
		c->board_changed = true;
		return;
	}
	if (e->wd == c->board_wd) { /* deleted: a supervisor makes another */
		c->board_wd = -1;
		report_change(c, NULL, NULL);
		return;
	}
	if (c->board && c->board_wd < 0)
		open_inotify(c);
	if (e->wd == c->root_wd) {
		on_root_event(c, e);
		return;
	}
	for (struct place *p = c->v; p < c->v + c->n; p++) {
		if (p->wd != e->wd)
			continue;
		if (e->mask & (IN_IGNORED | IN_MOVE_SELF))
			remove_place(c, p);
		else if (p->what == CHANGES_WRITTEN ||
			 (e->len && is_shown(e->name)))
			report_change(c, p, e->len ? e->name : NULL);
		return;
	}
}

static void read_events(struct changes *c)
{
	_Alignas(struct inotify_event) char data[16384];
	ssize_t n = read(c->fd, data, sizeof data);

	for (ssize_t at = 0; at < n;) {
		const struct inotify_event *e = (const void *)(data + at);

		at += (ssize_t)(sizeof *e + e->len);
		on_event(c, e);
	}
}

/* -- in a loop ------------------------------------------------------------ */

static void on_readable(void *ctx, int fd, short revents)
{
	struct changes *c = ctx;

	read_events(c);
	if (!c->board_changed)
		return;
	c->board_changed = false;
	c->fn(c->ctx, NULL, CHANGES_BOARD);
	loop_io_events(c->io, 0);
	loop_timer_set(c->pause, PAUSE_MS);
}

static void on_pause_end(void *ctx)
{
	struct changes *c = ctx;

	loop_io_events(c->io, POLLIN);
}

static void on_check(void *ctx)
{
	struct changes *c = ctx;

	retry_watches(c, false);
	if (c->board_wd < 0)
		c->fn(c->ctx, NULL, CHANGES_BOARD);
	if (changes_is_blind(c))
		loop_timer_set(c->check, CHECK_MS);
}

void changes_listen(struct changes *c, struct loop *loop, changes_fn fn,
		    void *ctx)
{
	c->loop = loop;
	c->fn = fn;
	c->ctx = ctx;
	c->pause = loop_timer_add(loop, on_pause_end, c);
	c->check = loop_timer_add(loop, on_check, c);
	board_close(TAKE_PTR(c->added));
	open_inotify(c);
	if (changes_is_blind(c))
		loop_timer_set(c->check, CHECK_MS);
}

/* -- in a wait ------------------------------------------------------------ */

/* Returns whether the board has new values for a watched session. */
static bool board_differs(struct changes *c)
{
	bool differs = false;

	for (struct place *p = c->v; p < c->v + c->n; p++) {
		uint64_t stamp = p->stamp;

		if (p->what == CHANGES_SHOWN)
			p->stamp = board_stamp(p->dir, &p->slot);
		differs |= stamp != p->stamp;
	}
	return differs;
}

static int64_t limit_wait(struct changes *c)
{
	bool blind = changes_is_blind(c);

	board_close(TAKE_PTR(c->added));
	if (blind)
		retry_watches(c, false);
	else
		open_inotify(c);
	if (blind && changes_is_blind(c))
		return WAIT_CHECK_MS;
	if (c->seen || board_differs(c))
		return 0;
	return c->again > 0 && c->again-- ? AGAIN_MS : HEARTBEAT_MS;
}

void changes_wait(struct changes *c, int64_t timeout_ms)
{
	int64_t most = limit_wait(c), end, left;
	struct pollfd p = {.fd = c->fd, .events = POLLIN};

	c->seen = false;
	if (timeout_ms >= 0 && timeout_ms < most)
		most = timeout_ms;
	end = clock_mono_ms() + most;
	do {
		left = end - clock_mono_ms();
		if (poll(&p, 1, left > 0 ? (int)left : 0) <= 0)
			break;
		read_events(c);
		if (c->board_changed)
			c->seen |= board_differs(c);
		c->board_changed = false;
	} while (!c->seen && left > 0);
	c->seen = false;
}

/* -- all of it ------------------------------------------------------------ */

struct changes *changes_create(void)
{
	struct changes *c = mem_alloc(sizeof *c);

	*c = (struct changes){.fd = -1, .root_wd = -1, .board_wd = -1};
	open_inotify(c);
	return c;
}

void changes_add(struct changes *c, const char *session_dir,
		 enum changes_what what)
{
	if (!find_place(c, session_dir) && !add_place(c, session_dir, what))
		c->seen = true;
}

void changes_add_all(struct changes *c, const char *sessions_dir,
		     enum changes_what what)
{
	c->root = mem_strdup(sessions_dir);
	c->what = what;
	if (what == CHANGES_SHOWN)
		c->board = board_path(sessions_dir);
	open_inotify(c);
	find_new(c);
	c->seen = false;
}

void changes_destroy(struct changes *c)
{
	if (!c)
		return;
	loop_io_remove(c->io);
	loop_timer_remove(c->check);
	loop_timer_remove(c->pause);
	board_close(c->added);
	file_close(c->fd);
	for (size_t i = 0; i < c->n; i++)
		free(c->v[i].dir);
	free(c->v);
	free(c->root);
	free(c->board);
	free(c);
}
