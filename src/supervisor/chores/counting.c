/*
 * counting.c - keeps the number of changes in the worktree up to date.
 *
 * inotify watches the worktree's directories (not .git, not what is usually
 * generated, at most WATCH_MAX), the worktree's administrative directory, where
 * commits show, and the directory of the base branch, which shows a merge.
 * After QUIET_MS without a change, but at most every INTERVAL_MS, afw-worktree
 * counts the changes; one count runs at a time.
 *
 * The system may refuse a watch (a user has 128 inotify instances, for all
 * programs). Then the changes are counted when a turn ends, and every
 * UNWATCHED_MS. If only some directories are not watched, they are counted
 * every UNWATCHED_MS while there is output.
 */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "supervisor/monitor/monitor.h"
#include "supervisor/part.h"
#include "supervisor/worktree_ask.h"

#define WATCH_MAX    1024
#define DEPTH_MAX    24
#define QUIET_MS     400
#define INTERVAL_MS  2000
#define UNWATCHED_MS 30000
#define DEADLINE_MS  60000
#define LAST_MS	     3000 /* the session's end waits this long for a count */
#define EVENTS                                                                 \
	(IN_CREATE | IN_DELETE | IN_MOVE | IN_CLOSE_WRITE | IN_ATTRIB |        \
	 IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK)

struct counting {
	struct supervisor *sv;
	int inotify_fd;
	struct loop_io *inotify_io;
	size_t watched; /* directories */
	bool stale;	/* directories were added since */
	struct loop_timer *timer;
	struct child *child; /* the running count, or NULL */
	int64_t last_ms, took_ms;
	bool again, last;
	bool unwatched; /* not all of the worktree is watched */
	int base_wd; /* watches the directory of the base's reference; or 0 */
};

static bool is_skipped(const char *name)
{
	static const char *const names[] = {
	    ".",	   "..",   ".git",  "node_modules", "target", ".venv",
	    "__pycache__", "dist", "build", ".cache",	    NULL};

	for (size_t i = 0; names[i]; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Watches path and the directories below it. A directory that is watched
 * already stays so. */
static void watch_dir(struct counting *c, const char *path, int depth)
{
	struct dirent *e;
	DIR *d;

	if (c->watched >= WATCH_MAX)
		c->unwatched = true;
	if (c->watched >= WATCH_MAX || depth > DEPTH_MAX)
		return;
	if (inotify_add_watch(c->inotify_fd, path, EVENTS) < 0) {
		c->unwatched = c->unwatched || errno == ENOSPC;
		return;
	}
	c->watched++;
	d = opendir(path);
	while (d && (e = readdir(d))) {
		char *sub;

		if (e->d_type != DT_DIR || is_skipped(e->d_name))
			continue;
		sub = file_join(path, e->d_name);
		watch_dir(c, sub, depth + 1);
		free(sub);
	}
	if (d)
		closedir(d);
}

static void watch_worktree(struct counting *c)
{
	c->stale = false;
	c->watched = 0;
	watch_dir(c, c->sv->spec.worktree, 0);
}

/* Counts soon, but at most once in interval, and for at most a tenth of the
 * time. */
static void schedule(struct counting *c, int64_t interval)
{
	int64_t least = c->took_ms * 10 > interval ? c->took_ms * 10 : interval;
	int64_t due = c->last_ms ? c->last_ms + least - clock_mono_ms() : 0;

	if (c->child)
		c->again = true;
	else
		loop_timer_set(c->timer, due > QUIET_MS ? due : QUIET_MS);
}

/* A turn has ended: counts, whatever inotify has reported. */
static void verdict(struct supervisor *sv, const struct verdict *was)
{
	if (sv->verdict.activity != was->activity && monitor_is_resting(sv))
		schedule(sv->counting, INTERVAL_MS);
}

/* If inotify was refused, counts now and then. */
static void output(struct supervisor *sv, const char *data, size_t len)
{
	struct counting *c = sv->counting;

	if (c->unwatched && !c->child && !loop_timer_active(c->timer))
		schedule(c, UNWATCHED_MS);
}

/* Returns whether the base branch has moved, which may change the counts. */
static bool is_relevant(const struct counting *c,
			const struct inotify_event *ev, const char *name)
{
	const char *base = c->sv->spec.base;

	return c->base_wd <= 0 || ev->wd != c->base_wd ||
	       (c->sv->state.counts.ahead > 0 && ev->len > 0 &&
		strcmp(name, strrchr(base, '/') ? strrchr(base, '/') + 1
						: base) == 0);
}

static void on_inotify(void *ctx, int fd, short revents)
{
	struct counting *c = ctx;
	bool changed = false;
	union {
		struct inotify_event align;
		char room[8192];
	} u;
	ssize_t n = read(fd, u.room, sizeof u.room);

	for (char *p = u.room; n > 0 && p < u.room + n;) {
		struct inotify_event ev;

		memcpy(&ev, p, sizeof ev);
		changed |= is_relevant(c, &ev, p + sizeof ev);
		p += sizeof ev + ev.len;
		c->stale |= (ev.mask & IN_Q_OVERFLOW) ||
			    ((ev.mask & IN_ISDIR) &&
			     (ev.mask & (IN_CREATE | IN_MOVED_TO)));
	}
	if (changed)
		schedule(c, INTERVAL_MS);
}

/* -- the count ----------------------------------------------------------- */

/* The worktree was deleted under the running harness: reported once. */
static void report_worktree_gone(struct supervisor *sv)
{
	if (access(sv->spec.worktree, F_OK) < 0)
		publish_degraded(sv, "its worktree directory is gone");
}

static void read_counts(struct counting *c, const struct child_end *end)
{
	struct counts *n = &c->sv->state.counts, old = *n;
	struct err err = {0};
	_json_ cJSON *o = worktree_answer(end, &err);

	if (err.kind) {
		publish_log("count changes: %s", err.what);
		if (o && c->sv->spec.private_git)
			publish_degraded(c->sv, "%s", err.what);
		report_worktree_gone(c->sv);
		return;
	}
	if (json_str(o, "harvest"))
		publish_degraded(c->sv, "%s", json_str(o, "harvest"));
	counts_read(n, o);
	if (memcmp(n, &old, sizeof old) != 0)
		publish_soon(c->sv);
}

static void on_ended(void *ctx, const struct child_end *end)
{
	struct counting *c = ctx;

	c->child = NULL;
	c->took_ms = clock_mono_ms() - c->last_ms;
	c->last_ms = clock_mono_ms();
	read_counts(c, end);
	if (c->again)
		schedule(c, INTERVAL_MS);
	else if (c->inotify_fd < 0)
		schedule(c, UNWATCHED_MS);
	c->again = false;
}

static void on_timer(void *ctx)
{
	struct counting *c = ctx;
	struct supervisor *sv = c->sv;
	struct err err = {0};

	if (c->child || !sv->terminal || !sv->spec.worktree_id)
		return;
	/* Watches new directories first: later changes in them are seen,
	 * earlier ones are counted. */
	if (c->stale)
		watch_worktree(c);
	c->last_ms = clock_mono_ms();
	c->child = worktree_ask(sv, "status", DEADLINE_MS, on_ended, c, &err);
	if (!c->child)
		publish_log("count changes: %s", err.what);
}

/* Counts the harness's last changes before its end is reported. */
static bool ending(struct supervisor *sv, int64_t kill_at)
{
	struct counting *c = sv->counting;

	if (!c->timer || sv->starting || c->took_ms > LAST_MS)
		return false;
	if (c->inotify_fd >= 0)
		on_inotify(c, c->inotify_fd, POLLIN);
	if (!c->child && !c->last &&
	    (c->unwatched || loop_timer_active(c->timer))) {
		c->last = true;
		loop_timer_stop(c->timer);
		on_timer(c);
	}
	if (c->child)
		child_hurry(c->child, LAST_MS);
	return c->child != NULL;
}

/* Watches the directory, because git replaces the file of a reference. */
static void watch_base(struct counting *c, const char *git_dir)
{
	static const char *const kinds[] = {"heads", "remotes"};
	const char *base = c->sv->spec.base;

	for (size_t i = 0; base && i < 2 && c->base_wd <= 0; i++) {
		char *path =
		    mem_printf("%s/refs/%s/%s", git_dir, kinds[i], base);

		*strrchr(path, '/') = '\0';
		c->base_wd = inotify_add_watch(c->inotify_fd, path,
					       IN_MOVED_TO | IN_ONLYDIR);
		free(path);
	}
}

static void start_watching(struct supervisor *sv)
{
	struct counting *c = sv->counting;
	const struct spec *s = &sv->spec;

	if (!sv->dir)
		return; /* headless, without a worktree of afw */
	c->sv = sv;
	c->timer = loop_timer_add(sv->loop, on_timer, c);
	c->inotify_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	c->unwatched = c->inotify_fd < 0;
	if (c->unwatched && s->worktree_id)
		publish_degraded(sv,
				 "its changes are counted every %d s only: "
				 "inotify: %s",
				 UNWATCHED_MS / 1000, strerror(errno));
	if (c->inotify_fd >= 0) {
		char *git = gitfile_dir(s->repository);
		char *admin = mem_printf("%s/worktrees/%s", git ? git : "",
					 s->worktree_id ? s->worktree_id : "-");

		c->inotify_io =
		    loop_io_add(sv->loop, c->inotify_fd, POLLIN, on_inotify, c);
		watch_worktree(c);
		inotify_add_watch(c->inotify_fd, admin, EVENTS);
		watch_base(c, git ? git : "");
		if (s->private_git)
			inotify_add_watch(c->inotify_fd, s->private_git,
					  EVENTS);
		free(admin);
		free(git);
	}
	schedule(c, INTERVAL_MS);
}

static void finish(struct supervisor *sv)
{
	struct counting *c = sv->counting;

	if (!c->timer)
		return;
	child_drop(c->child);
	loop_io_remove(c->inotify_io);
	loop_timer_remove(c->timer);
	file_close(c->inotify_fd);
}

const struct part counting_part = {
    .own = PART_OWN(counting),
    .start = start_watching,
    .output = output,
    .verdict = verdict,
    .ending = ending,
    .finish = finish,
};
