/*
 * watch.c - inotify on sessions' directories, and on the board of all: where
 * something changes there, it may be another session's.
 *
 * The death of a supervisor is an event too: the kernel closes its lock
 * file, which was open for writing (IN_CLOSE_WRITE). The event comes a
 * moment before the lock is free, so after it the caller is woken a few
 * times more.
 */
#include "commands/cli/watch.h"

#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "session/disk/board.h"

#define EVENTS                                                                 \
	(IN_CREATE | IN_MOVED_TO | IN_MODIFY | IN_CLOSE_WRITE |                \
	 IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
#define BOARD_EVENTS (IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
#define BLIND_MS     250 /* without inotify */
#define AGAIN_MS     10	 /* after a lock was let go */
#define AGAIN	     20
#define HEARTBEAT_MS 5000 /* in case of an event that was lost */

struct shown {
	char *dir;
	int slot;
	uint64_t stamp;
};

struct watch {
	int fd, input; /* input -1: none */
	char *board;
	int board_wd; /* -1: none */
	struct shown *shown;
	size_t n_shown;
	bool blind;
	bool at_once;
	int again;
};

struct watch *watch_create(void)
{
	struct watch *w = mem_alloc(sizeof *w);

	w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	w->blind = w->fd < 0;
	w->board_wd = w->input = -1;
	return w;
}

void watch_destroy(struct watch *w)
{
	if (!w)
		return;
	if (w->fd >= 0)
		close(w->fd);
	for (size_t i = 0; i < w->n_shown; i++)
		free(w->shown[i].dir);
	free(w->shown);
	free(w->board);
	free(w);
}

static void add(struct watch *w, const char *session_dir, uint32_t events)
{
	if (w->fd < 0 || inotify_add_watch(w->fd, session_dir, events) >= 0)
		return;
	w->blind = true;
	w->at_once = true;
}

void watch_add(struct watch *w, const char *session_dir)
{
	add(w, session_dir, EVENTS);
}

static void add_shown(struct watch *w, const char *session_dir)
{
	struct shown *s;

	if (!w->board)
		w->board = board_path_of(session_dir);
	w->shown = mem_realloc(w->shown, (w->n_shown + 1) * sizeof *w->shown);
	s = &w->shown[w->n_shown++];
	*s = (struct shown){.dir = mem_strdup(session_dir), .slot = -1};
}

void watch_add_shown(struct watch *w, const char *session_dir)
{
	watch_add(w, session_dir);
	add_shown(w, session_dir);
}

void watch_add_row(struct watch *w, const char *session_dir)
{
	add(w, session_dir, EVENTS & ~(uint32_t)(IN_MODIFY | IN_CREATE));
	add_shown(w, session_dir);
}

void watch_add_input(struct watch *w, int fd)
{
	w->input = fd;
}

/* Whether the board says something else of those that matter. */
static bool shows_more(struct watch *w)
{
	bool more = false;

	for (size_t i = 0; i < w->n_shown; i++) {
		struct shown *s = &w->shown[i];
		uint64_t stamp = board_stamp(s->dir, &s->slot);

		more |= stamp != s->stamp;
		s->stamp = stamp;
	}
	return more;
}

/* Each time: it may be another file by now. One that is none is looked for. */
static void watch_board(struct watch *w)
{
	if (w->board && w->fd >= 0)
		w->board_wd = inotify_add_watch(w->fd, w->board, BOARD_EVENTS);
	/* What was missed until now. */
	if (shows_more(w))
		w->at_once = true;
}

/* Whether something of those that matter has happened. */
static bool drain(struct watch *w)
{
	bool seen = false, board = false;

	union {
		struct inotify_event event;
		char bytes[4096 + NAME_MAX];
	} in;
	ssize_t n;

	while ((n = read(w->fd, &in, sizeof in)) > 0)
		for (char *p = in.bytes; p < in.bytes + n;) {
			struct inotify_event e;
			const char *name = p + sizeof e;

			memcpy(&e, p, sizeof e);
			if (e.wd == w->board_wd)
				board = true;
			else
				seen = true;
			if (e.len && strcmp(name, "lock") == 0 &&
			    (e.mask & IN_CLOSE_WRITE))
				w->again = AGAIN;
			p += sizeof e + e.len;
		}
	return (board && shows_more(w)) || seen;
}

void watch_wait(struct watch *w, int64_t timeout_ms)
{
	struct pollfd p[] = {{.fd = w->fd, .events = POLLIN},
			     {.fd = w->input, .events = POLLIN}};
	int64_t most = HEARTBEAT_MS, end, left;

	watch_board(w);
	if (w->blind || (w->board && w->board_wd < 0))
		most = BLIND_MS;
	if (w->again > 0) {
		w->again--;
		most = AGAIN_MS;
	}
	if (w->at_once)
		most = 0;
	w->at_once = false;
	if (timeout_ms >= 0 && timeout_ms < most)
		most = timeout_ms;
	end = clock_mono_ms() + most;
	do {
		left = end - clock_mono_ms();
		if (poll(p, 2, left > 0 ? (int)left : 0) <= 0 || p[1].revents)
			return;
	} while (!drain(w) && left > 0);
}
