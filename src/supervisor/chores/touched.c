/*
 * touched.c - collects the paths that were touched in the worktree.
 *
 * Directories that appear are watched when a reader takes its set: what was
 * made in them before belongs to the directory's own path, which is in the set.
 * The worktree's administrative directory is watched, too, where commits show,
 * and the directories of the base branch, here and at remotes, where a merge
 * shows. git makes and removes these as it needs them: until one is there, the
 * nearest directory above it is watched.
 */
#include "supervisor/chores/touched.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/gitfile.h"
#include "base/utf8.h"
#include "session/base_refs.h"
#include "supervisor/chores/generated.h"

#define WATCH_MAX 1024
#define DEPTH_MAX 24
#define PATHS_MAX 256
#define BYTES_MAX 32768
#define READS_MAX 64 /* of 8 KB each, before a set counts as everything */
#define EVENTS                                                                 \
	(IN_CREATE | IN_DELETE | IN_MOVE | IN_MODIFY | IN_CLOSE_WRITE |        \
	 IN_ATTRIB | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK)

struct watch {
	int wd;
	bool seen;  /* in the scan that is running */
	char *path; /* relative; "": the worktree */
};

struct set {
	struct strv paths;
	size_t bytes;
	bool everything;
};

struct touched {
	struct supervisor *sv;
	void (*changed)(void *ctx);
	void *ctx;
	int fd;
	struct loop_io *io;
	struct watch *watches;
	size_t n, seen;
	struct set left_out; /* directories that are not watched, by name */
	struct generated generated; /* during a scan */
	bool partial;
	int64_t at;    /* monotonic ms: when something was last reported */
	bool stale;    /* directories appeared or moved since the scan */
	int *base_wds; /* of the directories of the base's references */
	size_t n_base;
	char *base_name; /* of their files */
	struct set sets[TOUCHED_READERS];
};

static void set_everything(struct set *s)
{
	strv_finish(&s->paths);
	s->everything = true;
}

static void set_add(struct set *s, const char *path)
{
	size_t len = strlen(path);

	if (s->everything || strv_has(&s->paths, path))
		return;
	s->bytes += len;
	/* A path goes to afw-worktree in JSON, which has text alone. */
	if (!*path || s->paths.n >= PATHS_MAX || s->bytes > BYTES_MAX ||
	    !utf8_valid(path, len))
		set_everything(s);
	else
		strv_add(&s->paths, path);
}

static void set_empty(struct set *s)
{
	strv_finish(&s->paths);
	*s = (struct set){0};
}

/* -- watching ------------------------------------------------------------ */

static struct watch *find_watch(struct touched *t, int wd)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->watches[i].wd == wd)
			return &t->watches[i];
	return NULL;
}

static void drop_watch(struct touched *t, struct watch *w)
{
	mem_set(&w->path, NULL);
	*w = t->watches[--t->n];
}

/* Returns whether the directory's entries are to be scanned. A moved one keeps
 * its number. */
static bool watch_dir(struct touched *t, const char *full, const char *path)
{
	int wd = inotify_add_watch(t->fd, full, EVENTS);
	struct watch *w = wd < 0 ? NULL : find_watch(t, wd);

	if (wd < 0) {
		t->partial |= errno != ENOENT && errno != ENOTDIR;
		return false;
	}
	if (!w) {
		t->watches = mem_grow(t->watches, t->n, sizeof *w);
		w = &t->watches[t->n++];
		*w = (struct watch){.wd = wd};
	}
	mem_set(&w->path, path);
	w->seen = true;
	t->seen++;
	return true;
}

/* Its commits show in its own git directory. */
static void watch_submodule(struct touched *t, const char *full)
{
	_free_ char *git = gitfile_dir(full);

	if (git)
		inotify_add_watch(t->fd, git, EVENTS);
}

static void scan_dir(struct touched *t, const char *path, int depth)
{
	_free_ char *full = file_join(t->sv->spec.worktree, path);
	struct dirent *e;
	_dir_ DIR *d = NULL;

	if (t->seen >= WATCH_MAX || depth > DEPTH_MAX) {
		t->partial = true;
		return;
	}
	if (!watch_dir(t, full, path))
		return;
	d = opendir(full);
	t->partial |= !d && errno != ENOENT && errno != ENOTDIR;
	while (d && (e = readdir(d))) {
		_free_ char *sub = NULL;

		if (*path && strcmp(e->d_name, ".git") == 0)
			watch_submodule(t, full);
		t->partial |= e->d_type == DT_UNKNOWN;
		if (e->d_type != DT_DIR || strcmp(e->d_name, ".") == 0 ||
		    strcmp(e->d_name, "..") == 0 ||
		    strcmp(e->d_name, ".git") == 0)
			continue;
		sub =
		    *path ? file_join(path, e->d_name) : mem_strdup(e->d_name);
		if (generated_is_left_out(&t->generated, &t->sv->spec,
					  e->d_name, sub))
			set_add(&t->left_out, sub);
		else
			scan_dir(t, sub, depth + 1);
	}
}

static void scan(struct touched *t)
{
	t->stale = t->partial = false;
	t->seen = 0;
	set_empty(&t->left_out);
	for (size_t i = 0; i < t->n; i++)
		t->watches[i].seen = false;
	scan_dir(t, "", 0);
	generated_finish(&t->generated);
	for (size_t i = t->n; i-- > 0;)
		if (!t->watches[i].seen) {
			inotify_rm_watch(t->fd, t->watches[i].wd);
			drop_watch(t, &t->watches[i]);
		}
}

static int *find_base(struct touched *t, int wd)
{
	for (size_t i = 0; i < t->n_base; i++)
		if (t->base_wds[i] == wd)
			return &t->base_wds[i];
	return NULL;
}

/* Watches the directory of path, or the nearest one above it. */
static void watch_above(struct touched *t, char *path)
{
	char *slash = strrchr(path, '/');
	int wd = -1;

	while (wd < 0 && slash > path) {
		*slash = '\0';
		wd = inotify_add_watch(t->fd, path,
				       IN_MOVED_TO | IN_CREATE | IN_ONLYDIR);
		if (wd < 0 && errno != ENOENT && errno != ENOTDIR)
			return;
		slash = strrchr(path, '/');
	}
	if (wd < 0 || find_base(t, wd))
		return;
	t->base_wds = mem_grow(t->base_wds, t->n_base, sizeof *t->base_wds);
	t->base_wds[t->n_base++] = wd;
}

/* Watches directories, because git replaces the file of a reference. */
static void watch_base(struct touched *t)
{
	_strv_ struct strv refs = {0};

	base_refs(&t->sv->spec, &refs);
	for (size_t i = 0; i < refs.n; i++) {
		mem_set(&t->base_name, strrchr(refs.v[i], '/') + 1);
		watch_above(t, refs.v[i]);
	}
}

/* Watches git's directory of each worktree, which each commit changes. */
static void watch_git(struct touched *t)
{
	const struct spec *s = &t->sv->spec;

	for (size_t i = 0; i < spec_count(s); i++) {
		const struct spec one = spec_of(s, i); /* borrowed */
		_free_ char *admin = spec_git_entry(&one);

		inotify_add_watch(t->fd, admin, EVENTS);
		if (one.private_git)
			inotify_add_watch(t->fd, one.private_git, EVENTS);
	}
	watch_base(t);
}

/* -- events -------------------------------------------------------------- */

static void touch_everything(struct touched *t)
{
	for (int i = 0; i < TOUCHED_READERS; i++)
		set_everything(&t->sets[i]);
}

/* Returns whether the base branch may have moved, which may change the
 * counts. */
static bool take_base_event(struct touched *t, int *wd, const char *name,
			    uint32_t mask)
{
	bool other = mask & (IN_IGNORED | IN_ISDIR);

	if (mask & IN_IGNORED)
		*wd = t->base_wds[--t->n_base];
	if (other)
		watch_base(t);
	return t->sv->state.counts.ahead > 0 &&
	       (other || strcmp(name, t->base_name) == 0);
}

/* Returns whether this file of a git directory may change the counts: git's
 * locks and afw's own files do not. */
static bool is_counted(const char *name)
{
	const char *dot = strrchr(name, '.');

	return strncasecmp(name, "afw", 3) != 0 &&
	       !(dot && strcmp(dot, ".lock") == 0);
}

static bool take_git_event(struct touched *t, const char *name)
{
	if (!is_counted(name))
		return false;
	set_everything(&t->sets[TOUCHED_COUNT]);
	return true;
}

static bool take_file_event(struct touched *t, const struct watch *w,
			    const char *name, uint32_t mask)
{
	_free_ char *path = *w->path && *name
				? file_join(w->path, name)
				: mem_strdup(*name ? name : w->path);

	/* A program may keep a file open, and write to it now and then. Its
	 * changes are counted when it closes the file. */
	if (mask & IN_MODIFY) {
		set_add(&t->sets[TOUCHED_CHECKPOINT], path);
		return false;
	}
	for (int i = 0; i < TOUCHED_READERS; i++)
		set_add(&t->sets[i], path);
	/* Other files may be ignored now, or be read in another way. */
	if (strcmp(name, ".gitignore") == 0 ||
	    strcmp(name, ".gitattributes") == 0)
		touch_everything(t);
	if ((mask & IN_ISDIR) || strcmp(name, ".git") == 0)
		t->stale |= mask & (IN_CREATE | IN_MOVE);
	/* Until the next scan, watches below it have its old path. */
	if ((mask & IN_ISDIR) && (mask & IN_MOVED_FROM))
		touch_everything(t);
	return true;
}

/* Returns whether it may change the counts. */
static bool take_event(struct touched *t, const struct inotify_event *ev,
		       const char *name)
{
	struct watch *w = find_watch(t, ev->wd);
	int *base = find_base(t, ev->wd);

	if (ev->mask & IN_Q_OVERFLOW) {
		t->stale = true;
		touch_everything(t);
		return true;
	}
	if (base)
		return take_base_event(t, base, name, ev->mask);
	if (ev->mask & IN_IGNORED) {
		if (w)
			drop_watch(t, w);
		return false;
	}
	return w ? take_file_event(t, w, name, ev->mask)
		 : take_git_event(t, name);
}

/* Returns false if there was nothing to read. */
static bool read_events(struct touched *t)
{
	bool changed = false;
	union {
		struct inotify_event align;
		char room[8192];
	} u;
	ssize_t n = read(t->fd, u.room, sizeof u.room);

	for (char *p = u.room; n > 0 && p < u.room + n;) {
		struct inotify_event ev;

		memcpy(&ev, p, sizeof ev);
		changed |= take_event(t, &ev, ev.len ? p + sizeof ev : "");
		p += sizeof ev + ev.len;
	}
	if (changed) {
		t->at = clock_mono_ms();
		t->changed(t->ctx);
	}
	return n > 0;
}

static void on_inotify(void *ctx, int fd, short revents)
{
	read_events(ctx);
}

/* -- readers ------------------------------------------------------------- */

bool touched_is_partial(const struct touched *t)
{
	return !t || t->partial;
}

bool touched_is_known(const struct touched *t, enum touched_reader who)
{
	return t && !t->sets[who].everything &&
	       (who != TOUCHED_CHECKPOINT ||
		(!t->partial && !t->left_out.everything));
}

void touched_read(struct touched *t)
{
	int reads = 0;

	while (t && reads < READS_MAX && read_events(t))
		reads++;
	if (reads == READS_MAX)
		touch_everything(t);
}

int64_t touched_at(const struct touched *t)
{
	return t ? t->at : 0;
}

void touched_forget(struct touched *t, enum touched_reader who)
{
	if (t)
		set_everything(&t->sets[who]);
}

bool touched_take(struct touched *t, enum touched_reader who, struct strv *out)
{
	bool known;

	if (!t)
		return false;
	touched_read(t);
	if (t->stale)
		scan(t);
	known = touched_is_known(t, who);
	if (known)
		strv_copy(out, &t->sets[who].paths);
	if (known && who == TOUCHED_CHECKPOINT)
		strv_copy(out, &t->left_out.paths);
	set_empty(&t->sets[who]);
	return known;
}

struct touched *touched_create(struct supervisor *sv, void (*changed)(void *),
			       void *ctx)
{
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	struct touched *t;

	if (fd < 0)
		return NULL;
	t = mem_alloc(sizeof *t);
	*t = (struct touched){
	    .sv = sv, .changed = changed, .ctx = ctx, .fd = fd};
	t->io = loop_io_add(sv->loop, fd, POLLIN, on_inotify, t);
	touch_everything(t);
	/* The first reader scans: a start waits for this. */
	t->stale = t->partial = true;
	watch_git(t);
	return t;
}

void touched_destroy(struct touched *t)
{
	if (!t)
		return;
	loop_io_remove(t->io);
	file_close(t->fd);
	while (t->n > 0)
		drop_watch(t, &t->watches[0]);
	free(t->watches);
	free(t->base_wds);
	free(t->base_name);
	set_empty(&t->left_out);
	for (int i = 0; i < TOUCHED_READERS; i++)
		set_empty(&t->sets[i]);
	free(t);
}
