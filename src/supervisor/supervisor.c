/*
 * supervisor.c - the process's own life: set up, loop, state, end.
 *
 * It ends when the harness's tree is gone: last state, last screen, last
 * words to whoever listens, and out. There is nothing to clean up behind a
 * kill -9: the kernel frees the lock, the files stand as they were last
 * renamed into place, and the socket's file is replaced by the next start.
 */
#include "supervisor/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "session/disk/board.h"
#include "session/disk/dirs.h"
#include "session/disk/event_log.h"
#include "supervisor/harness/harness.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "supervisor/shutdown.h"

#define PUBLISH_INTERVAL_MS 100
#define PUBLISH_EARLY_MS    50
#define PUBLISH_SELDOM_MS   400 /* on top of the interval */
#define SAVE_AGAIN_MS	    1000
#define START_DEADLINE_MS   60000
#define FAREWELL_MS	    1000
#define DEGRADED_MAX	    32
#define LOG_BYTES_MAX	    ((size_t)256 * 1024)

/* What a harness does can be logged; so the log has an end. */
void supervisor_log(const char *fmt, ...)
{
	static size_t written;
	char raw[1024], text[1024], at[CLOCK_RFC3339_SIZE];
	va_list ap;

	if (written > LOG_BYTES_MAX)
		return;

	va_start(ap, fmt);
	vsnprintf(raw, sizeof raw, fmt, ap);
	va_end(ap);
	utf8_printable(text, sizeof text, raw, strlen(raw));
	clock_format(clock_wall_ms(), at);
	written += strlen(text) + 32;
	fprintf(stderr, "%s %s\n", at,
		written > LOG_BYTES_MAX ? "(the log ends here)" : text);
}

void supervisor_tell(struct supervisor *sv, const char *event, cJSON *o)
{
	struct err err = {0};

	if (events_append(sv->dir, event, cJSON_Duplicate(o, 1), &err) < 0)
		supervisor_log("%s", err.what);
	json_set_str(o, "event", event);
	for (struct peer *p = sv->peers; p; p = p->next)
		if (peer_wants(p, event))
			peer_send(p, cJSON_Duplicate(o, 1));
	cJSON_Delete(o);
}

void supervisor_degrade(struct supervisor *sv, const char *fmt, ...)
{
	struct strv *degraded = &sv->state.degraded;
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (degraded->n >= DEGRADED_MAX || strv_has(degraded, text))
		return;
	strv_add(degraded, text);
	supervisor_log("%s", text);
	supervisor_keep(sv);
}

/* Ten a second; but rather with what makes it due than a wait later. */
static void published(struct supervisor *sv)
{
	int64_t now = clock_mono_ms(), late = sv->publish_at - now;

	if (late < 0)
		late = 0;
	if (late > PUBLISH_EARLY_MS)
		late = PUBLISH_EARLY_MS;
	sv->publish_at = now + late + PUBLISH_INTERVAL_MS;
	sv->dirty = false;
	loop_timer_stop(sv->publish_timer);
}

void supervisor_publish(struct supervisor *sv, bool durable)
{
	struct err err = {0};

	PARTS(state, sv);
	published(sv);
	if (state_save(&sv->state, sv->dir, durable, &err) < 0) {
		if (!sv->unsaved)
			supervisor_log("%s", err.what);
		/* A full disk: perhaps nothing changes when it no longer is. */
		sv->unsaved = sv->dirty = true;
		sv->why_unsaved = err;
		board_show(&sv->state);
		loop_timer_set(sv->publish_timer, SAVE_AGAIN_MS);
		return;
	}
	sv->unsaved = sv->lasting = false;
}

void supervisor_show(struct supervisor *sv)
{
	int64_t messages = sv->state.messages;

	PARTS(state, sv);
	/* No message ever has the number of another one. */
	if (sv->lasting || sv->unsaved || sv->state.messages != messages ||
	    !phase_is_live(sv->state.phase) || !board_show(&sv->state)) {
		supervisor_publish(sv, sv->unsaved);
		return;
	}
	published(sv);
}

static void on_publish(void *ctx)
{
	supervisor_show(ctx);
}

static void publish_by(struct supervisor *sv, int64_t at)
{
	if (sv->unsaved)
		return;
	sv->dirty = true;
	loop_timer_set_earlier(sv->publish_timer, at - clock_mono_ms());
}

void supervisor_touch(struct supervisor *sv)
{
	publish_by(sv, sv->publish_at - PUBLISH_EARLY_MS);
}

void supervisor_touch_seldom(struct supervisor *sv)
{
	int64_t early = sv->publish_at + PUBLISH_SELDOM_MS / 2;

	if (clock_mono_ms() >= early && !sv->unsaved)
		supervisor_show(sv);
	else
		publish_by(sv, early + PUBLISH_SELDOM_MS / 2);
}

void supervisor_keep(struct supervisor *sv)
{
	sv->lasting = true;
	supervisor_touch(sv);
}

int supervisor_phase(struct supervisor *sv, enum phase to, const char *reason)
{
	struct err err = {0};
	cJSON *o;

	if (phase_move(&sv->state.phase, to, &err) < 0) {
		supervisor_log("bug: %s", err.what);
		return -1;
	}
	state_set(&sv->state.error_reason, to == PHASE_ERROR ? reason : NULL);
	/* On the way to running nothing is acknowledged yet. */
	supervisor_publish(sv, to != PHASE_STARTING);
	o = cJSON_CreateObject();
	json_set_str(o, "phase", phase_name(to));
	json_set_str(o, "reason", reason);
	supervisor_tell(sv, "phase", o);
	return 0;
}

static void on_signal(void *ctx, int signo)
{
	struct supervisor *sv = ctx;

	if (signo == SIGCHLD) {
		harness_reap(sv);
		return;
	}
	if (signo == SIGUSR1) {
		peer_listen_anew(sv);
		supervisor_keep(sv); /* its place on the board, too */
		return;
	}
	supervisor_log("signal %d: ending", signo);
	if (sv->pid > 0 || sv->exited || sv->starting)
		shutdown_signal(sv, signo, loop_signal_word(sv->loop));
	else
		sv->unwanted = true;
}

static int load(struct supervisor *sv, struct err *err)
{
	/* A writer that was killed may have left a file half-way. */
	file_sweep(AT_FDCWD, sv->dir);
	if (spec_load(&sv->spec, sv->dir, err) < 0)
		return -1;
	if (state_load(&sv->state, sv->dir, err) < 0)
		return -1;
	strv_finish(&sv->state.degraded); /* was the last life's */
	/* It comes back in the size that it had. */
	if (sv->state.cols > 0 && sv->state.cols <= SCREEN_MAX_COLS &&
	    sv->state.rows > 0 && sv->state.rows <= SCREEN_MAX_ROWS) {
		sv->spec.cols = sv->state.cols;
		sv->spec.rows = sv->state.rows;
	}
	sv->adapter = adapter_find(sv->spec.harness);
	sv->rules = rules_create(sv->spec.harness_config, err);
	if (!sv->rules)
		return -1;
	sv->backend = terminal_find(sv->spec.backend);
	if (!sv->backend)
		return err_set(err, ERR_FAILED, "there is no backend '%s'",
			       sv->spec.backend);
	sv->home = file_join(sv->dir, "home");
	if (file_private_dir(sv->home, err) < 0)
		return -1;
	sv->socket_path = dirs_new_socket(sv->spec.id, err);
	if (!sv->socket_path || state_keep_room(sv->dir, true, err) < 0)
		return -1;
	sv->state.supervisor_pid = getpid();
	board_hold(sv->dir, &sv->spec);
	return 0;
}

/* Whom we tell of the end may take a while: the session is free. */
static void release(struct supervisor *sv)
{
	if (!sv->unsaved)
		state_keep_room(sv->dir, false, NULL);
	board_release();
	close(sv->lock_fd);
	shutdown_wait(sv);
}

const struct part files_part = {
    .init = load,
    .finish = release,
};

static int set_up(struct supervisor *sv, struct err *err)
{
	static const int signals[] = {SIGCHLD, SIGTERM, SIGINT,
				      SIGHUP,  SIGUSR1, 0};

	/* Terminals of clients and a full disk must not end us. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGTTOU, SIG_IGN);
	signal(SIGTTIN, SIG_IGN);
#ifndef __SANITIZE_ADDRESS__ /* whose end looks into itself */
	/* What else this user runs, agents too, is not to look into us. */
	prctl(PR_SET_DUMPABLE, 0);
#endif
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return err_errno(err, "become a subreaper");
	sv->loop = loop_create();
	if (loop_signals(sv->loop, signals, on_signal, sv) < 0)
		return err_errno(err, "listen to signals");
	sv->publish_timer = loop_timer_add(sv->loop, on_publish, sv);
	return parts_init(sv, err);
}

static void finish(struct supervisor *sv)
{
	harness_finish(sv);
	parts_finish(sv);
	parts_destroy(sv);
	buf_finish(&sv->input);
	rules_destroy(sv->rules);
	spec_finish(&sv->spec);
	state_finish(&sv->state);
	free(sv->lost);
	free(sv->record_dir);
	free(sv->home);
	free(sv->dir);
	loop_destroy(sv->loop);
}

/* Lets clients read their last words, for a moment. */
static void farewell(struct supervisor *sv)
{
	int64_t end = clock_mono_ms() + FAREWELL_MS;
	bool pending = true;

	while (pending && clock_mono_ms() < end) {
		pending = false;
		for (struct peer *p = sv->peers; p; p = p->next)
			pending |= peer_pending(p);
		if (pending)
			loop_once(sv->loop, end - clock_mono_ms());
		peer_sweep(sv);
	}
}

int supervisor_run(const char *session_dir, int lock_fd, int control_fd)
{
	struct supervisor sv = {.dir = mem_strdup(session_dir),
				.lock_fd = lock_fd,
				.hold = -1};
	int64_t start_by = clock_mono_ms() + START_DEADLINE_MS;
	struct err err = {0};
	struct peer *starter;

	file_set_cloexec(lock_fd, true);
	file_set_cloexec(control_fd, true);
	state_init(&sv.state);
	parts_create(&sv);
	if (set_up(&sv, &err) < 0) {
		supervisor_log("%s", err.what);
		/* A suspended one stays so. */
		if (sv.state.phase == PHASE_PROVISIONING)
			supervisor_phase(&sv, PHASE_ERROR, err.what);
		peer_greet_error(control_fd, &err);
		if (sv.loop)
			finish(&sv);
		return 1;
	}
	starter = peer_add(&sv, control_fd);
	if (starter)
		starter->starter = true;
	while (!sv.exited || sv.pid > 0) {
		bool idle = sv.pid == 0 && !sv.starting;
		int64_t left = idle ? start_by - clock_mono_ms() : -1;

		/* Nobody said "start": the afw that wanted us is gone. */
		if (idle && (left <= 0 || !sv.peers || sv.unwanted))
			break;
		loop_once(sv.loop, left);
		peer_sweep(&sv);
	}
	farewell(&sv);
	finish(&sv);
	return 0;
}
