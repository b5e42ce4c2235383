/*
 * login.c - while the agent needs a login, holds the messages that are queued,
 * and tries nothing.
 *
 * This ends when the agent works (it has accepted a message, at_limit.c), when
 * its login file is changed, or when another session of the same agent works
 * again, which passes the turnstile. Then the sessions deliver their queues one
 * after the other. The number of the last held message and the time of the
 * login file are stored, so that a restarted session does not type the held
 * messages, and notices a login meanwhile.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/adapter.h"
#include "base/file.h"
#include "base/json.h"
#include "sandbox/sandbox.h"
#include "session/live/turnstile.h"
#include "supervisor/chores/at_limit.h"
#include "supervisor/part.h"

#define GAP_MS	   1000 /* between two sessions that deliver their queues */
#define WATCH_MASK (IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE)

struct login {
	struct loop_io *io;
	struct loop_timer *timer; /* delivers the queue */
	int fd;
	char *turnstile; /* its path; NULL: not watched */
	bool renewed;	 /* renew() is ending the limit, not the agent */
};

static int64_t pass_turnstile(const struct supervisor *sv, int64_t gap_ms)
{
	_free_ char *name = mem_printf("%s.login", sv->spec.harness);

	return turnstile_pass(name, gap_ms);
}

/* Lists the login files in the user's home, or in the session's private home.
 */
static void list_files(const struct supervisor *sv, struct strv *out)
{
	const struct sandbox *tier = sandbox_find(sv->spec.sandbox);
	const char *home =
	    tier && tier->private_home ? sv->home : getenv("HOME");
	_strv_ struct strv names = {0};

	adapter_needs(sv->spec.harness_config, "login_files", &names);
	for (size_t i = 0; home && i < names.n; i++)
		strv_take(out, file_join(home, names.v[i]));
}

/* Returns the time of the newest login file, wall ms; 0: there is none. */
static int64_t newest(const struct supervisor *sv)
{
	_strv_ struct strv files = {0};
	int64_t ms = 0;
	struct stat st;

	list_files(sv, &files);
	for (size_t i = 0; i < files.n; i++)
		if (stat(files.v[i], &st) == 0 && st.st_size > 0 &&
		    st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000 >
			ms)
			ms = st.st_mtim.tv_sec * 1000 +
			     st.st_mtim.tv_nsec / 1000000;
	return ms;
}

static void add_watch(struct login *l, const char *path)
{
	_free_ char *dir = mem_strdup(path);
	char *slash = strrchr(dir, '/');

	if (!slash)
		return;
	*slash = '\0';
	inotify_add_watch(l->fd, dir, WATCH_MASK);
}

static void unwatch(struct supervisor *sv)
{
	struct login *l = sv->login;

	if (!l->turnstile)
		return;
	loop_io_remove(l->io);
	close(l->fd);
	mem_set(&l->turnstile, NULL);
	l->io = NULL;
}

static void release(void *ctx)
{
	struct supervisor *sv = ctx;

	unwatch(sv);
	if (!sv->state.login_held)
		return;
	sv->state.login_held = 0;
	sender_hold_queued(sv->sender, 0);
	publish_lasting(sv);
}

/* The user has logged in: ends the limit, and delivers the queue at this
 * session's turn. */
static void renew(struct supervisor *sv)
{
	struct login *l = sv->login;

	unwatch(sv);
	l->renewed = true;
	at_limit_end_now(sv);
	l->renewed = false;
	if (!l->timer)
		l->timer = loop_timer_add(sv->loop, release, sv);
	loop_timer_set(l->timer, pass_turnstile(sv, GAP_MS));
}

static bool is_changed(const struct supervisor *sv)
{
	int64_t now = newest(sv);

	return now && now != sv->state.login_stamp;
}

/* An event names no directory. Events of another file of that name are rare,
 * and cost only a check. */
static bool has_passed(const struct login *l, const char *data, size_t len)
{
	const char *name = strrchr(l->turnstile, '/') + 1;
	const struct inotify_event *e;
	bool passed = false;

	for (size_t at = 0; at + sizeof *e <= len; at += sizeof *e + e->len) {
		e = (const struct inotify_event *)(const void *)(data + at);
		passed |= e->len && (e->mask & IN_CLOSE_WRITE) &&
			  strcmp(e->name, name) == 0;
	}
	return passed;
}

static void on_change(void *ctx, int fd, short revents)
{
	struct supervisor *sv = ctx;
	_Alignas(struct inotify_event) char data[4096];
	ssize_t n = read(fd, data, sizeof data);

	if (n > 0 && (has_passed(sv->login, data, (size_t)n) || is_changed(sv)))
		renew(sv);
}

static void watch(struct supervisor *sv)
{
	struct login *l = sv->login;
	_strv_ struct strv files = {0};
	_free_ char *name = mem_printf("%s.login", sv->spec.harness);
	char *turnstile = turnstile_path(name);

	if (l->turnstile || !turnstile ||
	    (l->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) < 0) {
		free(turnstile);
		return;
	}
	l->turnstile = turnstile;
	add_watch(l, turnstile);
	list_files(sv, &files);
	for (size_t i = 0; i < files.n; i++)
		add_watch(l, files.v[i]);
	l->io = loop_io_add(sv->loop, l->fd, POLLIN, on_change, sv);
}

static void hold_queue(struct supervisor *sv)
{
	sender_hold_queued(sv->sender, sv->state.login_held);
	watch(sv);
	/* A login file may have changed before it was watched. */
	if (is_changed(sv))
		renew(sv);
}

static void login_event(struct supervisor *sv, const char *name, const cJSON *o)
{
	bool over = strcmp(name, "limited:over") == 0;

	if ((!over && strcmp(name, "limited") != 0) ||
	    !at_limit_needs_login(sv) || sv->login->renewed)
		return;
	if (!over) {
		sv->state.login_held = sender_last(sv->sender);
		sv->state.login_stamp = newest(sv);
		if (sv->login->timer)
			loop_timer_stop(sv->login->timer);
		hold_queue(sv);
		return;
	}
	release(sv);
	pass_turnstile(sv, 0);
}

/* Without a login file no event would end the hold: so a new start delivers the
 * queue. */
static void login_start(struct supervisor *sv)
{
	if (at_limit_needs_login(sv) && sv->state.login_stamp)
		hold_queue(sv);
	else
		release(sv);
}

static void login_finish(struct supervisor *sv)
{
	unwatch(sv);
	loop_timer_remove(sv->login->timer);
}

const struct part login_part = {
    .own = PART_OWN(login),
    .start = login_start,
    .event = login_event,
    .finish = login_finish,
};
