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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "session/disk/board.h"
#include "session/disk/dirs.h"
#include "session/disk/event_log.h"
#include "supervisor/harness/harness.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "supervisor/shutdown.h"

#define START_DEADLINE_MS 60000
#define FAREWELL_MS	  1000

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
	supervisor_publish_init(sv);
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

int supervisor_run(const struct part *const *parts, const char *session_dir,
		   int lock_fd, int control_fd)
{
	struct supervisor sv = {.parts = parts,
				.dir = mem_strdup(session_dir),
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
