/*
 * counting.c - what the harness has changed, counted elsewhere.
 *
 * inotify watches the worktree's directories (not .git, not what is usually
 * generated, at most WATCH_MAX) and the worktree's administrative directory,
 * where commits show. After QUIET_MS without a change, but at most every
 * MIN_INTERVAL_MS, afw-worktree counts; one at a time.
 *
 * The system may refuse (a user has 128 inotify instances, for all programs).
 * Then it counts when a turn ends, and every BLIND_MS while there is output.
 */
#include "supervisor/counting.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "base/spawn.h"
#include "supervisor/part.h"
#include "supervisor/watch.h"
#include "wire/program.h"

#define WATCH_MAX	1024
#define DEPTH_MAX	24
#define QUIET_MS	400
#define MIN_INTERVAL_MS 2000
#define BLIND_MS	30000
#define DEADLINE_MS	60000
#define LAST_MS		3000 /* so long the end of a session waits for one */
#define ANSWER_MAX	((size_t)64 * 1024)
#define EVENTS                                                                 \
	(IN_CREATE | IN_DELETE | IN_MOVE | IN_CLOSE_WRITE | IN_ATTRIB |        \
	 IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK)

struct counting {
	struct supervisor *sv;
	int inotify_fd;
	struct loop_io *inotify_io;
	/* The kernel never gives a watch descriptor twice, so that they go far
	 * above WATCH_MAX where directories come and go. */
	struct watched {
		int wd;
		char *path;
	} watched[WATCH_MAX];
	size_t n_watched;
	struct loop_timer *timer, *deadline;
	int64_t last_ms, took_ms;
	bool again, last;
	bool blind; /* not all of the worktree is watched */

	pid_t pid;
	int answer_fd;
	struct loop_io *answer_io;
	struct buf answer;
};

static bool skipped(const char *name)
{
	static const char *const names[] = {
	    ".",	   "..",   ".git",  "node_modules", "target", ".venv",
	    "__pycache__", "dist", "build", ".cache",	    NULL};

	for (size_t i = 0; names[i]; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static struct watched *find_watched(struct counting *c, int wd)
{
	for (size_t i = 0; i < c->n_watched; i++)
		if (c->watched[i].wd == wd)
			return &c->watched[i];
	return NULL;
}

static void forget_watched(struct counting *c, struct watched *w)
{
	free(w->path);
	*w = c->watched[--c->n_watched];
}

static void watch_dir(struct counting *c, const char *path, int depth)
{
	struct watched *w;
	struct dirent *e;
	DIR *d;
	int wd;

	if (c->n_watched >= WATCH_MAX)
		c->blind = true;
	if (c->n_watched >= WATCH_MAX || depth > DEPTH_MAX)
		return;
	wd = inotify_add_watch(c->inotify_fd, path, EVENTS);
	if (wd < 0) {
		c->blind = c->blind || errno == ENOSPC;
		return;
	}
	w = find_watched(c, wd);
	if (!w) {
		w = &c->watched[c->n_watched++];
		*w = (struct watched){.wd = wd};
	}
	free(w->path);
	w->path = mem_strdup(path);
	d = opendir(path);
	while (d && (e = readdir(d))) {
		char *sub;

		if (e->d_type != DT_DIR || skipped(e->d_name))
			continue;
		sub = file_join(path, e->d_name);
		watch_dir(c, sub, depth + 1);
		free(sub);
	}
	if (d)
		closedir(d);
}

static void schedule(struct counting *c)
{
	int64_t least = c->took_ms * 10 > MIN_INTERVAL_MS ? c->took_ms * 10
							  : MIN_INTERVAL_MS;
	int64_t due = c->last_ms ? c->last_ms + least - clock_mono_ms() : 0;

	if (c->pid)
		c->again = true;
	else
		loop_timer_set(c->timer, due > QUIET_MS ? due : QUIET_MS);
}

/* A turn has ended: count, whatever inotify saw. */
static void verdict(struct supervisor *sv, const struct verdict *was)
{
	if (sv->verdict.activity != was->activity && watch_rests(sv))
		schedule(sv->counting);
}

/* Where inotify was refused, count now and then. */
static void output(struct supervisor *sv, const char *data, size_t len)
{
	struct counting *c = sv->counting;
	int64_t due, least;

	if (!c->blind || c->pid || loop_timer_active(c->timer))
		return;
	least = c->took_ms * 10 > BLIND_MS ? c->took_ms * 10 : BLIND_MS;
	due = c->last_ms + least - clock_mono_ms();
	loop_timer_set(c->timer, due > QUIET_MS ? due : QUIET_MS);
}

static void on_inotify(void *ctx, int fd, short revents)
{
	struct counting *c = ctx;
	union {
		struct inotify_event align;
		char room[8192];
	} u;
	ssize_t n = read(fd, u.room, sizeof u.room);
	bool lost = false;

	for (char *p = u.room; n > 0 && p < u.room + n;) {
		struct inotify_event ev;
		const char *name = p + sizeof ev;
		struct watched *w;

		memcpy(&ev, p, sizeof ev);
		p += sizeof ev + ev.len;
		lost = lost || (ev.mask & IN_Q_OVERFLOW);
		w = find_watched(c, ev.wd);
		if (!w)
			continue;
		if (ev.mask & IN_IGNORED) {
			forget_watched(c, w);
		} else if ((ev.mask & IN_ISDIR) && ev.len &&
			   (ev.mask & (IN_CREATE | IN_MOVED_TO)) &&
			   !skipped(name)) {
			char *sub = file_join(w->path, name);

			watch_dir(c, sub, 0);
			free(sub);
		}
	}
	/* inotify(7): directories may have been made that nobody told of. */
	if (lost)
		watch_dir(c, c->sv->spec.worktree, 0);
	if (n > 0)
		schedule(c);
}

/* -- the count ----------------------------------------------------------- */

/* Made away by hand under the running harness: said once. */
static void worktree_gone(struct supervisor *sv)
{
	if (access(sv->spec.worktree, F_OK) < 0)
		supervisor_degrade(sv, "its worktree directory is gone");
}

static void take_answer(struct counting *c)
{
	struct counts *n = &c->sv->state.counts, old = *n;
	struct err err = {0};
	cJSON *o;

	while (c->answer.len && c->answer.data[c->answer.len - 1] == '\n')
		c->answer.data[--c->answer.len] = '\0';
	o = json_parse_object(c->answer.data ? c->answer.data : "",
			      c->answer.len, &err);
	if (!o || !json_bool(o, "ok", false)) {
		supervisor_log("count changes: %s",
			       o ? json_str_or(o, "error", "?") : err.what);
		cJSON_Delete(o);
		worktree_gone(c->sv);
		return;
	}
	n->files_changed = json_int(o, "files_changed", -1);
	n->untracked = json_int(o, "untracked", -1);
	n->uncommitted = json_int(o, "uncommitted", -1) + n->untracked;
	n->ahead = json_int(o, "ahead", -1);
	n->lines_added = json_int(o, "lines_added", -1);
	n->lines_removed = json_int(o, "lines_removed", -1);
	cJSON_Delete(o);
	if (memcmp(n, &old, sizeof old) != 0)
		supervisor_touch(c->sv);
}

static void answer_over(struct counting *c)
{
	loop_io_remove(c->answer_io);
	c->answer_io = NULL;
	if (c->answer_fd >= 0)
		close(c->answer_fd);
	c->answer_fd = -1;
}

/* False where there is nothing to read now, or ever again. */
static bool read_answer(struct counting *c)
{
	ssize_t n = read(c->answer_fd, buf_room(&c->answer, 4096), 4096);

	if (n > 0 && c->answer.len + (size_t)n <= ANSWER_MAX) {
		c->answer.len += (size_t)n;
		c->answer.data[c->answer.len] = '\0';
		return true;
	}
	if (n >= 0 || (errno != EAGAIN && errno != EINTR))
		answer_over(c);
	return false;
}

static void on_answer(void *ctx, int fd, short revents)
{
	read_answer(ctx);
}

static size_t children(struct supervisor *sv, pid_t *out)
{
	*out = sv->counting->pid;
	return *out != 0;
}

static bool reaped(struct supervisor *sv, pid_t pid, int status)
{
	struct counting *c = sv->counting;

	if (!c || pid != c->pid)
		return false;
	c->pid = 0;
	/* What it wrote is in the pipe; nobody else is waited for. */
	while (c->answer_io && read_answer(c))
		;
	answer_over(c);
	c->took_ms = clock_mono_ms() - c->last_ms;
	c->last_ms = clock_mono_ms();
	loop_timer_stop(c->deadline);
	if (WIFEXITED(status))
		take_answer(c);
	if (c->again)
		schedule(c);
	c->again = false;
	return true;
}

static void start(struct counting *c, struct err *err)
{
	char *program = program_find("afw-worktree");
	char *argv[] = {program, NULL};
	int in[2] = {-1, -1}, out[2] = {-1, -1};
	struct buf text = {0};
	cJSON *o = spec_worktree_request(&c->sv->spec, "status");

	json_print(o, &text);
	buf_addc(&text, '\n');
	cJSON_Delete(o);
	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0) {
		err_errno(err, "make a pipe");
		goto out;
	}
	c->pid = spawn_start(&(struct spawn){.argv = argv,
					     .fd = {in[0], out[1], -1},
					     .new_session = true},
			     err);
	if (c->pid < 0) {
		c->pid = 0;
		goto out;
	}
	/* Well below what a pipe holds (64 KiB): does not block. */
	if (file_write_all(in[1], text.data, text.len) < 0)
		err_errno(err, "ask afw-worktree");
	file_set_nonblock(out[0]);
	buf_clear(&c->answer);
	c->answer_fd = out[0];
	c->answer_io = loop_io_add(c->sv->loop, out[0], POLLIN, on_answer, c);
	out[0] = -1;
	c->last_ms = clock_mono_ms();
	loop_timer_set(c->deadline, DEADLINE_MS);
out:
	for (int i = 0; i < 2; i++) {
		if (in[i] >= 0)
			close(in[i]);
		if (out[i] >= 0)
			close(out[i]);
	}
	buf_finish(&text);
	free(program);
}

static void on_timer(void *ctx)
{
	struct counting *c = ctx;
	struct err err = {0};

	if (c->pid || !c->sv->terminal || !c->sv->spec.worktree_id)
		return;
	start(c, &err);
	if (err.kind)
		supervisor_log("count changes: %s", err.what);
}

bool counting_last(struct counting *c)
{
	if (c->took_ms > LAST_MS)
		return false;
	if (c->inotify_fd >= 0)
		on_inotify(c, c->inotify_fd, POLLIN);
	if (!c->pid && !c->last && (c->blind || loop_timer_active(c->timer))) {
		c->last = true;
		loop_timer_stop(c->timer);
		on_timer(c);
	}
	if (c->pid)
		loop_timer_set_earlier(c->deadline, LAST_MS);
	return c->pid != 0;
}

static void on_deadline(void *ctx)
{
	struct counting *c = ctx;

	if (c->pid)
		kill(c->pid, SIGKILL);
}

static void start_watching(struct supervisor *sv)
{
	struct counting *c = sv->counting;
	const struct spec *s = &sv->spec;

	c->sv = sv;
	c->answer_fd = -1;
	c->timer = loop_timer_add(sv->loop, on_timer, c);
	c->deadline = loop_timer_add(sv->loop, on_deadline, c);
	c->inotify_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	c->blind = c->inotify_fd < 0;
	if (c->inotify_fd >= 0) {
		char *git = gitfile_dir(s->repository);
		char *admin = mem_printf("%s/worktrees/%s", git ? git : "",
					 s->worktree_id ? s->worktree_id : "-");

		c->inotify_io =
		    loop_io_add(sv->loop, c->inotify_fd, POLLIN, on_inotify, c);
		watch_dir(c, s->worktree, 0);
		watch_dir(c, admin, DEPTH_MAX);
		free(admin);
		free(git);
	}
	schedule(c);
}

static void finish(struct supervisor *sv)
{
	struct counting *c = sv->counting;

	if (!c->timer)
		return;
	if (c->pid) {
		kill(c->pid, SIGKILL);
		while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	answer_over(c);
	loop_io_remove(c->inotify_io);
	loop_timer_remove(c->timer);
	loop_timer_remove(c->deadline);
	if (c->inotify_fd >= 0)
		close(c->inotify_fd);
	while (c->n_watched)
		forget_watched(c, c->watched);
	buf_finish(&c->answer);
}

const struct part counting_part = {
    .own = PART_OWN(counting),
    .start = start_watching,
    .output = output,
    .verdict = verdict,
    .children = children,
    .reaped = reaped,
    .finish = finish,
};
