/*
 * watch.c - inotify on the sessions' directories.
 *
 * Files are renamed into place, so IN_MOVED_TO says that a new state is
 * there as a whole. The lock is a file that the supervisor holds open for
 * writing: the kernel's closing it (IN_CLOSE_WRITE) is how a supervisor's
 * death is seen, even by SIGKILL. A watch that is added late misses nothing,
 * since the session is reported after the watch is in place.
 *
 * Of the board there may be hundreds of events a second. After one the kernel
 * gathers the next, and is asked again some time later.
 *
 * inotify's instances and watches are few and every program of the user
 * takes from them. What is not watched is told once a second as if it had
 * changed, and tried again each time.
 */
#include "tui/watch.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "session/disk/board.h"

#define ROOT_MASK                                                              \
	(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR)
#define SESSION_MASK \
	(IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_ATTRIB | IN_ONLYDIR)
#define BOARD_MASK   (IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)

#define LOOK_MS	 1000 /* at what cannot be watched */
#define PAUSE_MS 50   /* after an event of the board */

struct watched {
	int wd; /* -1: the system refused */
	char id[SPEC_ID_LEN + 1];
};

struct watch {
	int fd, root, board; /* -1: refused */
	char *dir, *board_path;
	struct loop *loop;
	struct loop_io *io;
	struct loop_timer *look, *pause;
	watch_fn fn;
	void *ctx;
	bool board_changed;
	struct watched *v;
	size_t n;
};

static size_t find(const struct watch *w, const char *id)
{
	size_t i = 0;

	while (i < w->n && strcmp(w->v[i].id, id) != 0)
		i++;
	return i;
}

static bool is_there(const struct watch *w, const char *id)
{
	char *path = mem_printf("%s/%s/.", w->dir, id);
	bool there = access(path, F_OK) == 0;

	free(path);
	return there;
}

/* True where it has not been watched until now. */
static bool add(struct watch *w, const char *id)
{
	char *path = file_join(w->dir, id);
	int wd = w->fd < 0 ? -1 : inotify_add_watch(w->fd, path, SESSION_MASK);
	size_t i = find(w, id);
	bool watched = i < w->n && w->v[i].wd >= 0;

	free(path);
	if (wd < 0 && !is_there(w, id))
		return false;
	if (i == w->n) {
		w->v = mem_realloc(w->v, (w->n + 1) * sizeof *w->v);
		memcpy(w->v[w->n++].id, id, SPEC_ID_LEN + 1);
	}
	w->v[i].wd = wd;
	if (wd < 0)
		loop_timer_set_earlier(w->look, LOOK_MS);
	return !watched;
}

static void drop(struct watch *w, const char *id)
{
	size_t i = find(w, id);

	if (i == w->n)
		return;
	/* A directory that was moved away would go on reporting. */
	if (w->v[i].wd >= 0)
		inotify_rm_watch(w->fd, w->v[i].wd);
	w->v[i] = w->v[--w->n];
}

/* Finds what is in the directory; tells what was not watched, if it is to. */
static void add_all(struct watch *w, bool tell)
{
	DIR *d = opendir(w->dir);
	struct dirent *e;

	if (!d)
		return;
	while ((e = readdir(d)))
		if (random_is_hex(e->d_name, SPEC_ID_LEN) &&
		    add(w, e->d_name) && tell)
			w->fn(w->ctx, e->d_name, NULL);
	closedir(d);
}

/* The directory is gone. */
static void forget(struct watch *w, size_t i)
{
	w->fn(w->ctx, w->v[i].id, NULL);
	w->v[i] = w->v[--w->n];
}

static bool matters(const char *file)
{
	return strcmp(file, "state.json") == 0 ||
	       strcmp(file, "spec.json") == 0 || strcmp(file, "lock") == 0 ||
	       strcmp(file, "groups") == 0;
}

static void on_event(struct watch *w, const struct inotify_event *e)
{
	if (e->mask & IN_Q_OVERFLOW) {
		add_all(w, false);
		w->fn(w->ctx, NULL, NULL);
		return;
	}
	if (e->wd == w->board && e->mask == IN_MODIFY) {
		w->board_changed = true;
		return;
	}
	if (e->wd == w->board) { /* it is gone: who lives makes another */
		w->board = -1;
		w->fn(w->ctx, NULL, NULL);
		return;
	}
	if (w->board < 0)
		w->board = inotify_add_watch(w->fd, w->board_path, BOARD_MASK);
	if (e->wd == w->root) {
		if (e->len == 0 || !random_is_hex(e->name, SPEC_ID_LEN))
			return;
		if (e->mask & (IN_CREATE | IN_MOVED_TO))
			add(w, e->name);
		else
			drop(w, e->name);
		w->fn(w->ctx, e->name, NULL);
		return;
	}
	for (size_t i = 0; i < w->n; i++) {
		if (w->v[i].wd != e->wd)
			continue;
		if (e->mask & IN_IGNORED)
			forget(w, i);
		else if (e->len && matters(e->name))
			w->fn(w->ctx, w->v[i].id, e->name);
		return;
	}
}

static void on_readable(void *ctx, int fd, short revents)
{
	_Alignas(struct inotify_event) char data[16384];
	struct watch *w = ctx;
	ssize_t n = read(fd, data, sizeof data);

	for (ssize_t at = 0; at < n;) {
		const struct inotify_event *e = (const void *)(data + at);

		on_event(w, e);
		at += (ssize_t)(sizeof *e + e->len);
	}
	if (w->board_changed) {
		w->board_changed = false;
		w->fn(w->ctx, NULL, WATCH_BOARD);
		loop_io_events(w->io, 0);
		loop_timer_set(w->pause, PAUSE_MS);
	}
}

static void on_pause_over(void *ctx)
{
	struct watch *w = ctx;

	loop_io_events(w->io, POLLIN);
}

/* What inotify will give; false where it gives nothing. */
static bool open_inotify(struct watch *w)
{
	if (w->fd < 0)
		w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (w->fd < 0)
		return false;
	if (!w->io)
		w->io = loop_io_add(w->loop, w->fd, POLLIN, on_readable, w);
	if (w->root < 0)
		w->root = inotify_add_watch(w->fd, w->dir, ROOT_MASK);
	if (w->board < 0)
		w->board = inotify_add_watch(w->fd, w->board_path, BOARD_MASK);
	return w->root >= 0 && (w->board >= 0 || errno == ENOENT);
}

static void on_look(void *ctx)
{
	struct watch *w = ctx;
	bool blind = !open_inotify(w);

	/* Also in the round in which the directory came to be watched. */
	add_all(w, true);
	for (size_t i = w->n; i-- > 0;)
		if (w->v[i].wd < 0 && !is_there(w, w->v[i].id))
			forget(w, i);
	if (blind)
		w->fn(w->ctx, NULL, WATCH_BOARD);
	if (blind || watch_is_blind(w))
		loop_timer_set(w->look, LOOK_MS);
}

struct watch *watch_create(struct loop *loop, const char *dir, watch_fn fn,
			   void *ctx)
{
	struct watch *w = mem_alloc(sizeof *w);

	w->loop = loop;
	w->fn = fn;
	w->ctx = ctx;
	w->dir = mem_strdup(dir);
	w->board_path = board_path(dir);
	w->fd = w->root = w->board = -1;
	w->pause = loop_timer_add(loop, on_pause_over, w);
	w->look = loop_timer_add(loop, on_look, w);
	if (!open_inotify(w))
		loop_timer_set(w->look, LOOK_MS);
	add_all(w, false);
	return w;
}

void watch_destroy(struct watch *w)
{
	if (!w)
		return;
	loop_io_remove(w->io);
	loop_timer_remove(w->look);
	loop_timer_remove(w->pause);
	file_close(w->fd);
	free(w->dir);
	free(w->board_path);
	free(w->v);
	free(w);
}

bool watch_is_blind(const struct watch *w)
{
	if (w->root < 0)
		return true;
	for (size_t i = 0; i < w->n; i++)
		if (w->v[i].wd < 0)
			return true;
	return false;
}
