/*
 * supervisor.c - the life of the process: set up, loop, end.
 *
 * It ends when the harness's tree is gone: it writes the last state and screen,
 * sends the last replies, and exits. After a kill -9 nothing needs cleaning up:
 * the kernel releases the lock, each file has its last complete content, and
 * the next start replaces the socket's file.
 */
#include "supervisor/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/tree.h"
#include "base/version.h"
#include "session/disk/board.h"
#include "session/disk/event_log.h"
#include "session/disk/lock.h"
#include "supervisor/harness/harness.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "supervisor/start.h"

#define START_DEADLINE_MS 60000
#define FAREWELL_MS	  1000
/* Blocks of this size are returned to the system when they are freed: a
 * client's data, an agent's output. Untouched pages of a screen take no
 * memory. */
#define BIG_BLOCK (64 * 1024)

/* -- a signal ----------------------------------------------------------------
 *
 * TERM, INT or HUP without a request to stop or suspend. If the supervisor of
 * the session that this one was started in sends it (TREE_STOP_VALUE), it is a
 * stop. Otherwise the machine shuts down, or the user's login ends: the session
 * is lost, and `afw resume --all` restores it.
 *
 * When the machine shuts down, init signals all processes, in any order, and
 * kills those that are left. The harness gets a signal too, and may exit, with
 * any exit code, before the supervisor gets its own signal: that looks as if
 * the harness had ended by itself. Commands must not wait for a possible
 * signal, so the end is stored and the lock released at once. Only the process
 * stays for a moment. If a signal comes, it corrects the state, unless another
 * process has written the state since.
 */

static void on_end_signal(struct supervisor *sv, int signo, int word)
{
	char words[128];

	harness_lost_reason(signo, words, sizeof words);
	sv->state.lost |= sv->starting;
	if (!start_cancel(sv, words, 0))
		harness_stop_by_signal(sv, signo, word == TREE_STOP_VALUE);
}

/* Not a change in the table of phases: it corrects what was written. */
static void rewrite_as_lost(struct supervisor *sv, int signo)
{
	struct err err = {0};
	int lock = lock_acquire(sv->dir, &err);
	struct state now;
	char words[128];
	cJSON *o;

	if (lock < 0)
		return;
	if (state_load(&now, sv->dir, &err) < 0 || now.rev != sv->state.rev ||
	    phase_is_live(now.phase))
		goto out;
	harness_lost_reason(signo, words, sizeof words);
	now.phase = PHASE_ERROR;
	now.lost = true;
	mem_set(&now.error_reason, words);
	if (state_save(&now, sv->dir, true, &err) < 0)
		goto out;
	o = cJSON_CreateObject();
	json_set_str(o, "phase", phase_name(now.phase));
	json_set_str(o, "reason", words);
	events_append(sv->dir, "phase", o, &err);
out:
	if (err.what[0])
		publish_log("%s", err.what);
	state_finish(&now);
	close(lock);
}

/* Returns the next signal within ms, or 0. Ignores a signal from the parent
 * session. */
static int next_signal(int64_t ms)
{
	int64_t end = clock_mono_ms() + ms;
	siginfo_t si;
	sigset_t set;
	int signo;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	do {
		int64_t left = end - clock_mono_ms();
		struct timespec ts = {0};

		if (left > 0)
			ts =
			    (struct timespec){.tv_sec = left / 1000,
					      .tv_nsec = left % 1000 * 1000000};
		signo = sigtimedwait(&set, &si, &ts);
	} while (signo < 0 && errno == EINTR);
	if (signo < 0 || (si.si_code == SI_QUEUE &&
			  si.si_value.sival_int == TREE_STOP_VALUE))
		return 0;
	return signo;
}

static void wait_for_shutdown(struct supervisor *sv)
{
	const struct harness_end *end = sv->end;
	bool parent = end->why == ENDING_PARENT;
	int signo = end->down_signal;

	if (!end->exited || end->lost || (end->why != ENDING_NONE && !parent))
		return;
	if (!signo)
		signo = next_signal(parent ? 0 : HARNESS_SHUTDOWN_MS);
	if (!signo)
		return;
	rewrite_as_lost(sv, signo);
	raise(SIGTERM); /* so that the parent process sees the signal */
}

static void on_signal(void *ctx, int signo)
{
	struct supervisor *sv = ctx;

	if (signo == SIGCHLD) {
		harness_reap(sv);
		return;
	}
	publish_log("signal %d: ending", signo);
	if (sv->pid > 0 || sv->end->exited || sv->starting)
		on_end_signal(sv, signo, loop_signal_value(sv->loop));
	else
		sv->stop_requested = true;
}

int supervisor_load(struct supervisor *sv, struct err *err)
{
	/* A writer that was killed may have left a temporary file. */
	file_sweep(AT_FDCWD, sv->dir, 0);
	if (spec_load(&sv->spec, sv->dir, err) < 0)
		return -1;
	spec_read_head(&sv->spec);
	if (state_load(&sv->state, sv->dir, err) < 0)
		return -1;
	strv_finish(&sv->state.degraded); /* these were of the previous run */
	/* Restores the size that it had. */
	if (sv->state.cols > 0 && sv->state.cols <= SCREEN_MAX_COLS &&
	    sv->state.rows > 0 && sv->state.rows <= SCREEN_MAX_ROWS) {
		sv->spec.cols = sv->state.cols;
		sv->spec.rows = sv->state.rows;
	}
	sv->adapter = adapter_of(sv->spec.harness, sv->spec.harness_config);
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
	if (state_reserve(sv->dir, true, err) < 0)
		return -1;
	sv->state.supervisor_pid = getpid();
	mem_set(&sv->state.supervisor_version, AFW_VERSION);
	board_claim(sv->dir, &sv->spec);
	return 0;
}

/* Releases the session before the wait for a shutdown, so that it is free. */
static void release_session(struct supervisor *sv)
{
	if (publish_check_saved(sv, NULL) == 0)
		state_reserve(sv->dir, false, NULL);
	board_release();
	close(sv->lock_fd);
	wait_for_shutdown(sv);
}

const struct part files_part = {
    .init = supervisor_load,
    .finish = release_session,
};

int supervisor_open(struct supervisor *sv, loop_signal_fn signalled,
		    struct err *err)
{
	static const int signals[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP, 0};

	state_init(&sv->state);
	parts_create(sv);
	/* Terminals of clients and a full disk must not end the process. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGTTOU, SIG_IGN);
	signal(SIGTTIN, SIG_IGN);
#ifndef __SANITIZE_ADDRESS__ /* its leak check traces the process at exit */
	/* Other processes of the user, for example agents, must not read this
	 * process. */
	prctl(PR_SET_DUMPABLE, 0);
#endif
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return err_errno(err, "become a subreaper");
	sv->loop = loop_create();
	sv->children = children_create(sv->loop, CHILDREN_MAX);
	if (loop_signals(sv->loop, signals, signalled, sv) < 0)
		return err_errno(err, "listen to signals");
	return parts_init(sv, err);
}

void supervisor_close(struct supervisor *sv)
{
	harness_finish(sv);
	parts_finish(sv);
	parts_destroy(sv);
	children_destroy(sv->children);
	rules_destroy(sv->rules);
	spec_finish(&sv->spec);
	state_finish(&sv->state);
	free(sv->home);
	free(sv->dir);
	loop_destroy(sv->loop);
}

/* Gives clients a moment to read their last frames. */
static void drain_peers(struct supervisor *sv)
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
	struct supervisor sv = {
	    .parts = parts, .dir = mem_strdup(session_dir), .lock_fd = lock_fd};
	int64_t start_by = clock_mono_ms() + START_DEADLINE_MS;
	struct err err = {0};
	struct peer *starter;
	bool asked = true;

	mallopt(M_MMAP_THRESHOLD, BIG_BLOCK);
	file_set_cloexec(lock_fd, true);
	file_set_cloexec(control_fd, true);
	if (supervisor_open(&sv, on_signal, &err) < 0) {
		publish_log("%s", err.what);
		/* A suspended session stays suspended. */
		if (sv.state.phase == PHASE_PROVISIONING)
			publish_phase(&sv, PHASE_ERROR, err.what);
		peer_greet_error(control_fd, &err);
		if (sv.loop)
			supervisor_close(&sv);
		return 1;
	}
	starter = peer_add(&sv, control_fd);
	if (starter)
		starter->starter = true;
	while (sv.end->state != END_OVER) {
		bool idle = sv.pid == 0 && !sv.starting;
		int64_t left = idle ? start_by - clock_mono_ms() : -1;

		/* "start" did not come: the afw that started this process is
		 * gone. */
		if (idle && (left <= 0 || !sv.peers || sv.stop_requested))
			break;
		loop_once(sv.loop, left);
		peer_sweep(&sv);
		/* A client's request, above all the start, leaves free pages.
		 * Hundreds of supervisors may be running. */
		if (asked && !sv.peers)
			malloc_trim(0);
		asked = sv.peers;
	}
	drain_peers(&sv);
	supervisor_close(&sv);
	return 0;
}
