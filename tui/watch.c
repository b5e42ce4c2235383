/*
 * watch.c - inotify on the sessions' directories.
 *
 * Files are renamed into place, so IN_MOVED_TO says that a new state is
 * there as a whole. The lock is a file that the supervisor holds open for
 * writing: the kernel's closing it (IN_CLOSE_WRITE) is how a supervisor's
 * death is seen, even by SIGKILL. A watch that is added late misses nothing,
 * since the session is reported after the watch is in place.
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
#include "session/spec.h"

#define ROOT_MASK                                                              \
	(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR)
#define SESSION_MASK (IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_ONLYDIR)

struct watched {
	int wd; /* -1: the system refused */
	char id[SPEC_ID_LEN + 1];
};

struct watch {
	int fd, root;
	char *dir;
	struct loop_io *io;
	watch_fn fn;
	void *ctx;
	struct watched *v;
	size_t n, missing;
};

static bool is_id(const char *name)
{
	return strlen(name) == SPEC_ID_LEN &&
	       strspn(name, "0123456789abcdef") == SPEC_ID_LEN;
}

static void add(struct watch *w, const char *id)
{
	char *path = file_join(w->dir, id);
	int wd = inotify_add_watch(w->fd, path, SESSION_MASK);
	int why = errno;
	size_t i = 0;

	free(path);
	while (i < w->n && strcmp(w->v[i].id, id) != 0)
		i++;
	if (i < w->n) {
		if (wd >= 0 && w->v[i].wd < 0)
			w->missing--;
		if (wd >= 0)
			w->v[i].wd = wd;
		return;
	}
	/* Gone again, or no directory: nothing to watch, nothing missing. */
	if (wd < 0 && (why == ENOENT || why == ENOTDIR))
		return;
	w->v = mem_realloc(w->v, (w->n + 1) * sizeof *w->v);
	w->v[w->n].wd = wd;
	memcpy(w->v[w->n++].id, id, SPEC_ID_LEN + 1);
	if (wd < 0)
		w->missing++;
}

static void drop(struct watch *w, const char *id)
{
	for (size_t i = 0; i < w->n; i++) {
		if (strcmp(w->v[i].id, id) != 0)
			continue;
		/* A directory that was moved away would go on reporting. */
		if (w->v[i].wd >= 0)
			inotify_rm_watch(w->fd, w->v[i].wd);
		else
			w->missing--;
		w->v[i] = w->v[--w->n];
		return;
	}
}

static void add_all(struct watch *w)
{
	DIR *d = opendir(w->dir);
	struct dirent *e;

	if (!d)
		return;
	while ((e = readdir(d)))
		if (is_id(e->d_name))
			add(w, e->d_name);
	closedir(d);
}

static bool matters(const char *file)
{
	return strcmp(file, "state.json") == 0 ||
	       strcmp(file, "spec.json") == 0 ||
	       strcmp(file, "screen.json") == 0 || strcmp(file, "lock") == 0;
}

static void on_event(struct watch *w, const struct inotify_event *e)
{
	if (e->mask & IN_Q_OVERFLOW) {
		add_all(w);
		w->fn(w->ctx, NULL, NULL);
		return;
	}
	if (e->wd == w->root) {
		if (e->len == 0 || !is_id(e->name))
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
			w->v[i] = w->v[--w->n];
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

	(void)revents;
	for (ssize_t at = 0; at < n;) {
		const struct inotify_event *e = (const void *)(data + at);

		on_event(w, e);
		at += (ssize_t)(sizeof *e + e->len);
	}
}

struct watch *watch_create(struct loop *loop, const char *dir, watch_fn fn,
			   void *ctx, struct err *err)
{
	struct watch *w = mem_alloc(sizeof *w);

	w->fn = fn;
	w->ctx = ctx;
	w->dir = mem_strdup(dir);
	w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	w->root = w->fd < 0 ? -1 : inotify_add_watch(w->fd, dir, ROOT_MASK);
	if (w->root < 0) {
		int why = errno;

		err_errno(err, "watch %s for changes", dir);
		if (why == ENOSPC || why == EMFILE)
			err_hint(err, "raise fs.inotify.max_user_watches or "
				      "max_user_instances (sysctl)");
		watch_destroy(w);
		return NULL;
	}
	add_all(w);
	w->io = loop_io_add(loop, w->fd, POLLIN, on_readable, w);
	return w;
}

void watch_destroy(struct watch *w)
{
	if (!w)
		return;
	loop_io_remove(w->io);
	if (w->fd >= 0)
		close(w->fd);
	free(w->dir);
	free(w->v);
	free(w);
}

size_t watch_missing(const struct watch *w)
{
	return w ? w->missing : 0;
}
