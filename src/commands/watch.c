/*
 * watch.c - inotify on sessions' directories.
 *
 * The death of a supervisor is an event too: the kernel closes its lock
 * file, which was open for writing (IN_CLOSE_WRITE). The event comes a
 * moment before the lock is free, so after it the caller is woken a few
 * times more.
 */
#include "commands/watch.h"

#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/mem.h"

#define EVENTS                                                                 \
	(IN_CREATE | IN_MOVED_TO | IN_MODIFY | IN_CLOSE_WRITE |                \
	 IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
#define BLIND_MS     250 /* without inotify */
#define AGAIN_MS     10	 /* after a lock was let go */
#define AGAIN	     20
#define HEARTBEAT_MS 5000 /* in case of an event that was lost */

struct watch {
	int fd;
	bool blind;
	bool at_once;
	int again;
};

struct watch *watch_create(void)
{
	struct watch *w = mem_alloc(sizeof *w);

	w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	w->blind = w->fd < 0;
	return w;
}

void watch_destroy(struct watch *w)
{
	if (!w)
		return;
	if (w->fd >= 0)
		close(w->fd);
	free(w);
}

void watch_add(struct watch *w, const char *session_dir)
{
	if (w->fd < 0 || inotify_add_watch(w->fd, session_dir, EVENTS) >= 0)
		return;
	w->blind = true;
	w->at_once = true;
}

static void drain(struct watch *w)
{
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
			if (e.len && strcmp(name, "lock") == 0 &&
			    (e.mask & IN_CLOSE_WRITE))
				w->again = AGAIN;
			p += sizeof e + e.len;
		}
}

void watch_wait(struct watch *w, int64_t timeout_ms)
{
	struct pollfd p = {.fd = w->fd, .events = POLLIN};
	int64_t most = w->blind ? BLIND_MS : HEARTBEAT_MS;

	if (w->again > 0) {
		w->again--;
		most = AGAIN_MS;
	}
	if (w->at_once)
		most = 0;
	w->at_once = false;
	if (timeout_ms >= 0 && timeout_ms < most)
		most = timeout_ms;
	if (poll(&p, w->fd >= 0 ? 1 : 0, (int)most) > 0)
		drain(w);
}
