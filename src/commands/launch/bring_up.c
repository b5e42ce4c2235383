/*
 * bring_up.c - starts a session whose files exist: waits for another one
 * (--after), makes the worktree, starts the agent.
 *
 * The waiting process is a child of the afw command, in a session (setsid) of
 * its own, so that it survives the terminal. Its memory holds the environment,
 * which must not be stored in a file. It holds the session's lock as a
 * supervisor does, so that its death is seen in the same way.
 */
#include "commands/launch/bring_up.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/spawn.h"
#include "commands/command.h"
#include "commands/send_offline.h"
#include "commands/launch/after.h"
#include "commands/launch/handoff.h"
#include "commands/launch/new_worktree.h"
#include "commands/launch/settings.h"
#include "session/disk/dirs.h"
#include "session/disk/event_log.h"
#include "session/typable.h"

static volatile sig_atomic_t told;

static void on_signal(int signo)
{
	told = signo;
}

/* Saves the phase. waits: process pid waits for the session that the
 * specification names; why: it cannot complete unless the user helps. */
static int save_phase(const struct new_session *n, enum phase phase,
		      pid_t waits, const char *reason, struct err *err)
{
	_free_ char *detail =
	    waits ? mem_printf("waits for %s%s%s", n->spec.after,
			       reason ? ": " : "", reason ? reason : "")
		  : NULL;
	struct state state;
	cJSON *o;
	int rc = 0;

	if (state_load(&state, n->dir, NULL) < 0)
		state_init(&state);
	if (state.phase != phase)
		rc = phase_move(&state.phase, phase, err);
	state.activity =
	    waits && reason ? ACTIVITY_WAITING_FOR_INPUT : ACTIVITY_NONE;
	state.lost = false;
	state.waits = waits != 0;
	state.supervisor_pid = waits;
	mem_set(&state.detail, detail);
	mem_set(&state.error_reason, waits ? NULL : reason);
	if (reason) {
		state.notice = waits ? NOTICE_WAITING : NOTICE_ERROR;
		state.notices++;
	}
	if (rc == 0)
		rc = state_save(&state, n->dir, true, err);
	state_finish(&state);
	if (rc < 0)
		return -1;
	o = cJSON_CreateObject();
	json_set_str(o, "phase", phase_name(phase));
	json_set_str(o, "reason", detail ? detail : reason);
	events_append(n->dir, "phase", o, NULL);
	return 0;
}

/* Detaches from the terminal; output goes to the log from here on. */
static void detach_from_terminal(struct new_session *n, int go)
{
	const int keep[] = {n->lock_fd, go, 0};
	char *path = file_join(n->dir, "supervisor.log");
	int in = open("/dev/null", O_RDONLY | O_CLOEXEC),
	    out = file_open(AT_FDCWD, path,
			    O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, NULL);

	setsid();
	dup2(in, 0);
	dup2(out < 0 ? in : out, 1);
	dup2(out < 0 ? in : out, 2);
	spawn_close_others(keep);
	/* Use the repository of n, not that of the current directory. */
	unsetenv("GIT_DIR");
	if (chdir(spec_checkout(&n->spec)) < 0)
		fprintf(stderr, "afw: %s: %s\n", n->repository,
			strerror(errno));
	free(path);
}

static void catch_signals(void)
{
	struct sigaction sa = {.sa_handler = on_signal};

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	signal(SIGHUP, SIG_IGN);
}

/* Starts the agent. notes: features that it lacks. If the caller does not wait
 * for the start, a session whose start fails is kept, and its task is in its
 * queue. */
static int start_agent(struct new_session *n, const struct strv *notes,
		       struct err *err)
{
	bool first = !n->spec.after;
	struct supervise how = {
	    .plan = &n->plan,
	    .message =
		first && n->plan.message.len ? n->plan.message.data : NULL,
	    .fork = args_has(n->plan.args, "fork") ? n->from.state.conversation
						   : NULL,
	    .interrupted = n->interrupted,
	    .notes = notes,
	    .first = first,
	};
	bool resumed;
	int rc =
	    supervise_start(n->dir, TAKE_FD(n->lock_fd), &how, &resumed, err);

	if (rc < 0 && first && *n->interrupted)
		return err_prefix(err, "new '%s'", n->spec.name);
	return rc;
}

static int make_and_start(struct new_session *n, const struct strv *notes,
			  struct err *err)
{
	if (new_worktree_make(n, err) < 0 || handoff_add(n, err) < 0)
		return -1;
	return start_agent(n, notes, err);
}

/* -- a waiting process ----------------------------------------------------- */

/* SIGINT is the user's `afw stop`. After any other end, for example that of the
 * machine, the session counts as lost, and resume --all starts it again. */
static void report_end(const struct new_session *n, const struct err *err)
{
	struct err ignored;

	fprintf(stderr, "afw: %s\n", err->what);
	if (n->lock_fd < 0) /* the supervisor has recorded it */
		return;
	if (told == SIGINT)
		save_phase(n, PHASE_CREATED, 0, NULL, &ignored);
	else if (!told)
		save_phase(n, PHASE_ERROR, 0, err->what, &ignored);
}

static _Noreturn void wait_and_start(struct new_session *n, int go)
{
	struct strv notes = {0};
	struct err err = {0};
	char none, *why = NULL;
	int rc;

	detach_from_terminal(n, go);
	catch_signals();
	while (read(go, &none, 1) < 0 && errno == EINTR && !told)
		;
	close(go);
	n->interrupted = &told;
	while ((rc = after_wait(&n->spec, &told, &why, &notes, &err)) > 0)
		if (save_phase(n, PHASE_CREATED, getpid(), why, &err) < 0)
			fprintf(stderr, "afw: %s\n", err.what);
	if (rc < 0 || save_phase(n, PHASE_PROVISIONING, 0, NULL, &err) < 0 ||
	    make_and_start(n, &notes, &err) < 0)
		report_end(n, &err);
	_exit(0);
}

static int queue_task(struct new_session *n, struct err *err)
{
	struct buf text = {0};
	int rc = 0;

	typable_filter(n->plan.message.data, n->plan.message.len, &text);
	if (text.len && send_offline_add(n->dir, &text, 0, err) < 0)
		rc = err_prefix(err, "new '%s'", n->spec.name);
	buf_finish(&text);
	return rc;
}

static int begin_waiting(struct new_session *n, struct err *err)
{
	int go[2], rc;
	pid_t pid;

	if (pipe2(go, O_CLOEXEC) < 0)
		return err_errno(err, "make a pipe");
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		close(go[1]);
		wait_and_start(n, go[0]);
	}
	close(go[0]);
	rc = pid < 0 ? err_errno(err, "fork")
		     : save_phase(n, PHASE_CREATED, pid, NULL, err);
	if (rc == 0 && n->plan.message.len)
		rc = queue_task(n, err);
	if (rc < 0 && pid > 0)
		kill(pid, SIGKILL);
	close(go[1]); /* from here on the child may write the state */
	return rc;
}

int bring_up_new(struct new_session *n, struct err *err)
{
	return n->spec.after ? begin_waiting(n, err)
			     : make_and_start(n, NULL, err);
}

/* -- a second start -------------------------------------------------------- */

bool bring_up_must_wait(const struct session *s)
{
	const char *worktree = s->spec.worktree;

	/* It was recorded and then removed: afw was killed in between. */
	return s->spec.after_id &&
	       (!worktree || (s->state.started_at == 0 &&
			      access(worktree, F_OK) < 0 && errno == ENOENT));
}

/* Forgets the recorded worktree, which no longer exists, so that the one made
 * next is not taken for it. */
static int forget_worktree(struct spec *s, const char *dir, struct err *err)
{
	if (!s->worktree)
		return 0;
	mem_set(&s->worktree, NULL);
	mem_set(&s->worktree_id, NULL);
	mem_set(&s->branch, NULL);
	return spec_save(s, dir, true, err);
}

/* Its arguments are borrowed: only the child changes its copy of them. */
static int wait_again(const struct session *s, const struct plan *plan,
		      struct err *err)
{
	struct new_session n = {
	    .plan = *plan, .repository = s->spec.repository, .dir = s->dir};
	_close_ int lock_fd = -1;
	_spec_ struct spec spec = {0};

	if (after_check(&s->spec, err) < 0 || dirs_prepare(err) < 0)
		return err_prefix(err, "start '%s'", s->spec.name);
	n.lock_fd = lock_fd = supervise_lock(s, plan->config, err);
	if (lock_fd < 0 ||
	    settings_refresh(plan->config, s, &plan->env, err) < 0 ||
	    spec_load(&spec, s->dir, err) < 0 ||
	    forget_worktree(&spec, s->dir, err) < 0)
		return -1;
	n.spec = spec;
	return begin_waiting(&n, err);
}

int bring_up(const struct session *s, const struct supervise *how,
	     bool *resumed, struct err *err)
{
	return bring_up_must_wait(s) ? wait_again(s, how->plan, err)
				     : supervise_again(s, how, resumed, err);
}
