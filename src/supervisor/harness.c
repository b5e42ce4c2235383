/*
 * harness.c - the harness's process.
 *
 * Its end has two halves: the main process is reaped, then whatever it left
 * behind is ended too (TERM, after the grace period KILL, again and again
 * until nothing is below us, or GIVE_UP_MS have passed). Only then is the
 * session over.
 */
#include "supervisor/harness.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/tree.h"
#include "sandbox/sandbox.h"
#include "session/events.h"
#include "supervisor/attach.h"
#include "supervisor/counting.h"
#include "supervisor/door.h"
#include "supervisor/peer.h"
#include "supervisor/watch.h"

#define READ_SIZE      65536
#define READ_ROUND_MAX (512 * 1024) /* then others have their turn */
#define KILL_AGAIN_MS  50
#define GIVE_UP_MS     10000 /* after the first KILL */

/* Of the user's terminal or of an agent that afw itself runs in. */
static const char *const not_inherited[] = {
    "TMUX",	  "TMUX_PANE",	 "STY",		"WINDOW",
    "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "KITTY_WINDOW_ID",
    "WEZTERM_PANE", "VTE_VERSION", "LINES", "COLUMNS", NULL,
};

static void env_remove(struct strv *env, const char *name)
{
	size_t len = strlen(name), to = 0;

	for (size_t i = 0; i < env->n; i++) {
		char *e = env->v[i];

		if (strncmp(e, name, len) == 0 && e[len] == '=')
			free(e);
		else
			env->v[to++] = e;
	}
	env->n = to;
	if (env->v)
		env->v[to] = NULL;
}

static void env_set(struct strv *env, const char *name, const char *value)
{
	env_remove(env, name);
	strv_addf(env, "%s=%s", name, value);
}

static void base_env(struct supervisor *sv, struct strv *env)
{
	for (size_t i = 0; not_inherited[i]; i++)
		env_remove(env, not_inherited[i]);
	env_set(env, "COLORTERM", "truecolor");
	if (sv->backend->term)
		env_set(env, "TERM", sv->backend->term());
	env_set(env, "PWD", sv->spec.worktree);
	env_set(env, "AF_SESSION_ID", sv->spec.id);
	env_set(env, "AF_SESSION", sv->spec.name);
	env_set(env, "AF_DOOR", door_path(sv->door));
}

/* What the adapter wants on top of that: "K=V" sets, "K" removes. */
static void adapter_env(struct strv *env, const struct strv *changes)
{
	for (size_t i = 0; i < changes->n; i++) {
		char *e = changes->v[i], *eq = strchr(e, '='), *name;

		if (!eq) {
			env_remove(env, e);
			continue;
		}
		name = mem_strndup(e, (size_t)(eq - e));
		env_set(env, name, eq + 1);
		free(name);
	}
}

static int prepare(struct supervisor *sv, const struct harness_start *hs,
		   struct strv *env, struct launch *launch, struct err *err)
{
	char *self = file_program_dir(),
	     *hook_program = file_join(self, "afw-supervisor");
	const char *hook[] = {hook_program, "hook", NULL};
	const struct sandbox *sandbox = sandbox_find(sv->spec.sandbox);
	struct launch_request rq = {
	    .spec = &sv->spec,
	    .rules = sv->rules,
	    .home = sv->home,
	    .door = door_path(sv->door),
	    .hook = hook,
	    .resume = hs->resume,
	    .conversation = sv->state.conversation ? sv->state.conversation
						   : sv->spec.conversation,
	    .trusted = hs->trusted,
	};
	int rc = -1;

	strv_copy(env, &hs->env);
	base_env(sv, env);
	rq.environ_now = (const char *const *)env->v;
	if (!sandbox)
		err_set(err, ERR_FAILED, "there is no sandbox '%s'",
			sv->spec.sandbox);
	else if (adapter_prepare(sv->adapter, &rq, launch, err) == 0) {
		adapter_env(env, &launch->env);
		rc = sandbox->wrap(&launch->argv, env, &launch->degraded, err);
	}
	free(hook_program);
	free(self);
	return rc;
}

static void on_terminal(void *ctx, int fd, short revents);
static void on_exited(void *ctx, int wait_status);
static void on_lost(void *ctx, const char *why);
static void on_room(void *ctx);

static struct terminal *open_terminal(struct supervisor *sv,
				      const struct launch *launch,
				      const struct strv *env, struct err *err)
{
	size_t len = strlen(sv->socket_path);
	struct terminal_start st = {
	    .argv = launch->argv.v,
	    .envp = env->v,
	    .dir = sv->spec.worktree,
	    .cols = sv->spec.cols,
	    .rows = sv->spec.rows,
	    .scrollback = sv->spec.scrollback_lines,
	    .id = sv->spec.id,
	    .state = sv->dir,
	    .loop = sv->loop,
	    .events = {.ctx = sv,
		       .exited = on_exited,
		       .lost = on_lost,
		       .room = on_room},
	};
	/* <runtime>/<id>.sock */
	char *run = mem_strndup(sv->socket_path, len - strlen(".sock"));
	struct terminal *t;

	st.run = run;
	t = sv->backend->start(&st, &sv->pid, err);
	free(run);
	return t;
}

int harness_start(struct supervisor *sv, const struct harness_start *hs,
		  bool *resumed, struct err *err)
{
	struct launch launch = {0};
	struct strv env = {0};
	struct state *state = &sv->state;
	cJSON *o;
	int rc = -1;

	if (prepare(sv, hs, &env, &launch, err) < 0)
		goto out;
	sv->terminal = open_terminal(sv, &launch, &env, err);
	if (!sv->terminal) {
		sv->pid = 0;
		goto out;
	}
	*resumed = launch.resumed;
	strv_finish(&state->degraded);
	strv_copy(&state->degraded, &launch.degraded);
	state_set(&state->conversation, launch.conversation
					    ? launch.conversation
					    : state->conversation);
	state->pid = sv->pid;
	state->exit_code = -1;
	state->signal = 0;
	state->started_at = clock_wall_ms();
	state->ended_at = 0;
	watch_started(sv);
	sv->terminal_io =
	    loop_io_add(sv->loop, sv->backend->fd(sv->terminal), POLLIN,
			on_terminal, sv);
	supervisor_phase(sv, PHASE_RUNNING, NULL);
	sv->counting = counting_create(sv);
	o = cJSON_CreateObject();
	json_set_int(o, "pid", sv->pid);
	json_set_bool(o, "resumed", launch.resumed);
	events_append(sv->dir, "agent:started", cJSON_Duplicate(o, 1), NULL);
	supervisor_event(sv, "agent:started", o);
	rc = 0;
out:
	launch_finish(&launch);
	strv_finish(&env);
	return rc;
}

static void wanted(struct supervisor *sv)
{
	bool out = sv->input.len > 0 && !sv->backend->size;

	/* A backend with a size of its own says itself when there is room. */
	if (sv->terminal_io)
		loop_io_events(sv->terminal_io,
			       out ? POLLIN | POLLOUT : POLLIN);
}

static void write_some(struct supervisor *sv)
{
	while (sv->terminal && sv->input.len) {
		ssize_t n = sv->backend->write(sv->terminal, sv->input.data,
					       sv->input.len);

		if (n <= 0)
			break;
		buf_drop(&sv->input, (size_t)n);
	}
	wanted(sv);
}

size_t harness_write(struct supervisor *sv, const char *data, size_t len)
{
	size_t room = HARNESS_INPUT_MAX - sv->input.len;

	if (!sv->terminal)
		return 0;
	if (len > room)
		len = room;
	buf_add(&sv->input, data, len);
	write_some(sv);
	return len;
}

static void set_size(struct supervisor *sv, int cols, int rows)
{
	screen_resize(sv->screen, cols, rows);
	transcript_resize(sv->transcript, cols, rows);
	sv->spec.cols = screen_cols(sv->screen);
	sv->spec.rows = screen_rows(sv->screen);
	supervisor_touch(sv); /* the size is kept for the next start */
}

/* The model has the size that the terminal has by now. */
static void follow_size(struct supervisor *sv)
{
	int cols, rows;

	if (!sv->backend->size ||
	    sv->backend->size(sv->terminal, &cols, &rows) < 0 ||
	    (cols == screen_cols(sv->screen) &&
	     rows == screen_rows(sv->screen)))
		return;
	set_size(sv, cols, rows);
}

int harness_resize(struct supervisor *sv, int cols, int rows)
{
	if (!sv->terminal)
		return -1;
	if (cols == screen_cols(sv->screen) && rows == screen_rows(sv->screen))
		return 0;
	if (sv->backend->size)
		return sv->backend->resize(sv->terminal, cols, rows);
	set_size(sv, cols, rows);
	return sv->backend->resize(sv->terminal, sv->spec.cols, sv->spec.rows);
}

/* The terminal has no more to say: stop watching, keep the model. */
static void terminal_ended(struct supervisor *sv)
{
	loop_io_remove(sv->terminal_io);
	sv->terminal_io = NULL;
}

void harness_read(struct supervisor *sv, size_t max)
{
	static char chunk[READ_SIZE];
	size_t total = 0;

	if (sv->terminal && sv->screen)
		follow_size(sv);
	while (sv->terminal && sv->terminal_io && total < max) {
		ssize_t n = sv->backend->read(sv->terminal, chunk,
					      sizeof chunk);

		if (n > 0) {
			watch_output(sv, chunk, (size_t)n);
			total += (size_t)n;
			continue;
		}
		if (n == 0)
			terminal_ended(sv);
		break;
	}
}

/* A call of the backend's is done: bytes were taken, or the size set. */
static void on_room(void *ctx)
{
	struct supervisor *sv = ctx;
	bool had = sv->input.len > 0;

	if (!sv->terminal)
		return;
	write_some(sv);
	attach_room(sv);
	follow_size(sv);
	if (had && sv->input.len == 0 && sv->sender)
		loop_timer_set(sv->wake_timer, 0);
}

static void on_terminal(void *ctx, int fd, short revents)
{
	struct supervisor *sv = ctx;
	bool had = sv->input.len > 0;

	(void)fd;
	if (revents & POLLOUT) {
		write_some(sv);
		attach_room(sv);
	}
	if (revents & (POLLIN | POLLHUP | POLLERR))
		harness_read(sv, READ_ROUND_MAX);
	if (had && sv->input.len == 0 && sv->sender)
		loop_timer_set(sv->wake_timer, 0);
}

/* -- the end ----------------------------------------------------------- */

static int tree_signal(struct supervisor *sv, int signo)
{
	pid_t helpers[TERMINAL_HELPERS] = {0};
	struct tree_but but = {.spare = counting_pid(sv->counting),
			       .helpers = helpers};

	if (sv->terminal && sv->backend->helpers)
		sv->backend->helpers(sv->terminal, helpers);
	return tree_kill(getpid(), &but, signo);
}

void harness_measure(struct supervisor *sv, struct tree_usage *out)
{
	pid_t helpers[TERMINAL_HELPERS] = {0};
	struct tree_but but = {.spare = counting_pid(sv->counting),
			       .helpers = helpers};

	if (sv->terminal && sv->backend->helpers)
		sv->backend->helpers(sv->terminal, helpers);
	tree_measure(getpid(), &but, out);
}

static void end_words(struct supervisor *sv, char *out, size_t size)
{
	int st = sv->wait_status;

	if (sv->lost)
		snprintf(out, size, "lost: %s", sv->lost);
	else if (WIFSIGNALED(st))
		snprintf(out, size, "%s was killed by signal %d (%s)",
			 adapter_called(sv->adapter, &sv->spec), WTERMSIG(st),
			 strsignal(WTERMSIG(st)));
	else
		snprintf(out, size, "%s exited with code %d",
			 adapter_called(sv->adapter, &sv->spec),
			 WEXITSTATUS(st));
}

static void over(struct supervisor *sv)
{
	struct state *state = &sv->state;
	bool bad = sv->wait_status != 0 || sv->lost;
	char words[256];
	cJSON *o;

	harness_read(sv, 1 << 20);
	end_words(sv, words, sizeof words);
	watch_ended(sv, words);
	state->pid = 0;
	state->ended_at = clock_wall_ms();
	if (WIFSIGNALED(sv->wait_status))
		state->signal = WTERMSIG(sv->wait_status);
	else
		state->exit_code = WEXITSTATUS(sv->wait_status);
	o = cJSON_CreateObject();
	json_set_int(o, "exit_code", state->exit_code);
	json_set_int(o, "signal", state->signal);
	events_append(sv->dir, "agent:exit", cJSON_Duplicate(o, 1), NULL);
	supervisor_event(sv, "agent:exit", o);
	state->supervisor_pid = 0;
	if (state->phase == PHASE_STOPPING) {
		supervisor_phase(sv, PHASE_STOPPED, words);
	} else if (sv->ending == ENDING_SUSPEND) {
		supervisor_phase(sv, PHASE_SUSPENDED, words);
	} else if (bad) {
		supervisor_phase(sv, PHASE_ERROR, words);
	} else {
		supervisor_phase(sv, PHASE_STOPPING, words);
		supervisor_phase(sv, PHASE_STOPPED, words);
	}
	attach_end_all(sv, "exit", words);
	terminal_ended(sv);
	sv->backend->destroy(sv->terminal);
	sv->terminal = NULL;
	sv->pid = 0;
	for (struct peer *p = sv->peers; p; p = p->next)
		peer_stopped(p);
}

/* What runs as another user (sudo), or hangs in the kernel, cannot be killed:
 * nobody is to wait for it for ever. */
static void give_up(struct supervisor *sv, int left)
{
	if (sv->gave_up)
		return;
	sv->gave_up = true;
	supervisor_log("%d processes cannot be killed: left behind", left);
	strv_addf(&sv->state.degraded,
		  "%d of its processes could not be killed", left);
	if (!sv->exited) {
		sv->exited = true;
		sv->wait_status = SIGKILL;
	}
}

/*
 * Called until nothing is left below us. Half-way to the KILL comes a HUP:
 * interactive shells ignore TERM, but end when their terminal goes.
 */
static void on_ending(void *ctx)
{
	struct supervisor *sv = ctx;
	int64_t now = clock_mono_ms();
	bool force = now >= sv->kill_at, hang_up = now >= sv->hang_up_at;
	int left = tree_signal(sv, force     ? SIGKILL
				   : hang_up ? SIGHUP
					     : 0);

	/* Whoever should have told its end died before. */
	if (sv->lost && !sv->exited && left == 0 && kill(sv->pid, 0) < 0) {
		sv->exited = true;
		sv->wait_status = SIGHUP;
	}
	if (left > 0 && now - sv->kill_at >= GIVE_UP_MS) {
		give_up(sv, left);
		left = 0;
	}
	if (sv->exited && left == 0) {
		if (!sv->backend->end || sv->backend->end(sv->terminal))
			over(sv);
		else
			loop_timer_set(sv->ending_timer, KILL_AGAIN_MS);
		return;
	}
	if (hang_up)
		sv->hang_up_at = INT64_MAX;
	if (force)
		loop_timer_set(sv->ending_timer, KILL_AGAIN_MS);
	else
		loop_timer_set(sv->ending_timer, sv->hang_up_at < sv->kill_at
						     ? sv->hang_up_at - now
						     : sv->kill_at - now);
}

/* TERM now, HUP half-way, KILL at the deadline. */
static void end_by(struct supervisor *sv, int64_t at)
{
	int64_t now = clock_mono_ms();

	if (!sv->ending_timer)
		sv->ending_timer = loop_timer_add(sv->loop, on_ending, sv);
	if (!sv->kill_at) {
		/* Stopped processes would never see the TERM. */
		tree_signal(sv, SIGCONT);
		tree_signal(sv, SIGTERM);
	}
	if (!sv->kill_at || at < sv->kill_at) {
		sv->kill_at = at;
		sv->hang_up_at = now + (at - now) / 2;
	}
	loop_timer_set(sv->ending_timer, sv->hang_up_at - now);
}

void harness_stop(struct supervisor *sv, enum ending why, int64_t grace_ms)
{
	int64_t at = clock_mono_ms() + (grace_ms > 0 ? grace_ms : 0);

	if (sv->pid <= 0)
		return;
	if (sv->ending == ENDING_NONE) {
		sv->ending = why;
		if (why == ENDING_STOP && sv->state.phase == PHASE_RUNNING)
			supervisor_phase(sv, PHASE_STOPPING, NULL);
	}
	end_by(sv, at);
}

/* Its end begins, if it has not; now is looked at whether it is over. */
static void ended(struct supervisor *sv)
{
	if (sv->pid == 0)
		return;
	/* It ended by itself? What it left behind gets its grace too. */
	if (sv->kill_at == 0)
		end_by(sv, clock_mono_ms() + sv->spec.stop_timeout_ms);
	loop_timer_set(sv->ending_timer, 0);
}

static void on_exited(void *ctx, int wait_status)
{
	struct supervisor *sv = ctx;

	if (sv->exited)
		return;
	sv->exited = true;
	sv->wait_status = wait_status;
	ended(sv);
}

static void on_lost(void *ctx, const char *why)
{
	struct supervisor *sv = ctx;

	supervisor_log("%s", why);
	state_set(&sv->lost, why);
	ended(sv);
}

void harness_reap(struct supervisor *sv)
{
	bool any = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (counting_reaped(sv->counting, pid, status))
			continue;
		any = true;
		if (sv->terminal && sv->backend->reaped &&
		    sv->backend->reaped(sv->terminal, pid, status))
			continue;
		if (pid != sv->pid || sv->exited)
			continue;
		sv->exited = true;
		sv->wait_status = status;
	}
	if (any && sv->exited)
		ended(sv);
}

void harness_finish(struct supervisor *sv)
{
	int64_t end = clock_mono_ms() + 2000;

	while (sv->pid > 0 && clock_mono_ms() < end &&
	       tree_kill(getpid(), NULL, SIGKILL) > 0) {
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		poll(NULL, 0, 5);
	}
	if (sv->terminal)
		sv->backend->destroy(sv->terminal);
	sv->terminal = NULL;
}
