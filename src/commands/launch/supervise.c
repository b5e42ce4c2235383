/*
 * supervise.c - starts the supervisor and harness of a session whose files
 * exist.
 *
 * The supervisor inherits two descriptors: the session's lock, which is held
 * without a gap, and one end of a socket pair, over which it gets what must not
 * be in a file or in argv: the environment and the task.
 */
#include "commands/launch/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adapters/adapter.h"
#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/json.h"
#include "base/session_vars.h"
#include "base/spawn.h"
#include "base/venv.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/launch/services.h"
#include "commands/launch/settings.h"
#include "sandbox/sandbox.h"
#include "session/disk/dirs.h"
#include "session/disk/event_log.h"
#include "session/disk/lock.h"
#include "session/live/limit.h"
#include "session/live/ports.h"
#include "session/live/turnstile.h"
#include "wire/client.h"
#include "wire/program.h"
#include "wire/worktree_client.h"

#define READY_MS 10000
#define START_MS 60000
#define TURN_MS	 30000 /* then it is started all the same */

/* The variables that the supervisor needs; the others are only for the
 * harness. */
static const char *const own_names[] = {
    "PATH", "HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "AF_DATA_DIR",
    "AF_SHARE_DIR", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ", "USER",
    /* for podman */
    "XDG_CONFIG_HOME", "CONTAINERS_CONF", "CONTAINERS_STORAGE_CONF", "LOGNAME",
    "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG",
    /* for notify-send */
    "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
    "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "AF_TEST_ID", NULL};

static void own_env(struct strv *env)
{
	for (size_t i = 0; own_names[i]; i++) {
		const char *value = getenv(own_names[i]);

		if (value)
			strv_addf(env, "%s=%s", own_names[i], value);
	}
}

static int open_log(const char *session_dir, struct err *err)
{
	_free_ char *path = file_join(session_dir, "supervisor.log");

	return file_open(AT_FDCWD, path,
			 O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, err);
}

/* Starts the program; returns our end of the socket pair, or -1. */
static int start_program(const char *session_dir, int lock_fd, struct err *err)
{
	_close_ int log = open_log(session_dir, err);
	_pipe_ int pair[2] = {-1, -1};
	_free_ char *program = program_find("afw-supervisor");
	_free_ char *lock = mem_printf("%d", lock_fd), *control = NULL;
	_strv_ struct strv env = {0};

	own_env(&env);
	if (log < 0)
		return -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return err_errno(err, "make a socket");
	control = mem_printf("%d", pair[1]);
	char *argv[] = {program, (char[]){"run"}, (char *)(size_t)session_dir,
			lock,	 control,	  NULL};

	if (spawn_start(&(struct spawn){.argv = argv,
					.envp = env.v,
					.dir = "/",
					.fd = {-1, log, log},
					.keep = {lock_fd, pair[1]},
					.new_session = true},
			err) < 0)
		return -1;
	return TAKE_FD(pair[0]);
}

/* given: the variables that the user gave. */
static void make_env(const struct spec *spec, const struct strv *given,
		     struct strv *env)
{
	_strv_ struct strv needs = {0};

	adapter_needs(spec->harness_config, "needs_env", &needs);
	sandbox_env(spec, (const char *const *)needs.v, true, env);
	/* Variables that a harness set for itself, if this afw runs in one. */
	for (size_t i = 0; adapters[i] && getenv("AF_SESSION_ID"); i++)
		if (adapters[i]->config_env && getenv(adapters[i]->inside_env))
			env_apply(env, adapters[i]->config_env);
	/* sandbox_env() has left it out, too. */
	if (!venv_move(env, spec->repository, spec->worktree))
		output_warn("%s: the active virtual environment is the main "
			    "worktree's and is left out: this worktree has "
			    "none of its own (setup can make one)",
			    spec->name);
	env_set(env, "TERM", "xterm-256color");
	for (size_t i = 0; i < given->n; i++)
		env_apply(env, given->v[i]);
}

static cJSON *request_start(struct client *c, const struct spec *spec,
			    const struct supervise *how, struct err *err)
{
	_json_ cJSON *notify = settings_notify(how->plan->config);
	_json_ cJSON *service_env = NULL;
	_strv_ struct strv given = {0}, vars = {0};
	struct request rq = {
	    .id = REQUEST_START,
	    .start = {.message = how->message,
		      .resume = how->resume,
		      .fork = how->fork,
		      .first = how->first,
		      .if_any = how->if_any,
		      .fresh = how->fresh,
		      .over_budget = how->over_budget,
		      .trusted = config_repository_trusted(how->plan->config),
		      .notify = notify}};
	cJSON *reply;

	spec_set_vars(spec, &vars);
	strv_copy(&given, &how->plan->env);
	session_vars_expand_all(&given, &vars);
	if (spec->services || spec->check.n)
		service_env = services_env(spec, &given);
	rq.start.service_env = service_env;
	make_env(spec, &given, &rq.start.env);
	if (how->notes)
		strv_copy(&rq.start.degraded, how->notes);
	reply = client_request(c, &rq, -1, START_MS + services_ms(spec), err);
	request_finish(&rq);
	return reply;
}

/* Some agents lose their login if two of them renew it at once. */
static void wait_turn(const struct spec *s)
{
	_free_ char *name = mem_printf("%s.start", s->harness);
	_strv_ struct strv gap = {0};
	int64_t ms;

	adapter_needs(s->harness_config, "start_gap", &gap);
	ms = gap.n ? turnstile_pass(name, atol(gap.v[0])) : 0;
	if (ms > 0)
		poll(NULL, 0, ms < TURN_MS ? (int)ms : TURN_MS);
}

int supervise_start(const char *session_dir, int lock_fd,
		    const struct supervise *how, bool *resumed, struct err *err)
{
	_strv_ struct strv degraded = {0};
	_client_ struct client *c = NULL;
	_json_ cJSON *reply = NULL;
	_spec_ struct spec spec = {0};
	int fd = -1;

	if (spec_load(&spec, session_dir, err) == 0 &&
	    sandbox_make_git_dir(&spec, err) == 0)
		fd = start_program(session_dir, lock_fd, err);
	close(lock_fd);
	if (fd >= 0)
		c = client_adopt(fd, READY_MS, err);
	if (c) {
		client_interrupted_by(c, how->interrupted);
		wait_turn(&spec);
		reply = request_start(c, &spec, how, err);
	}
	if (!reply && err->kind == ERR_NOT_RUNNING) {
		err_set(err, ERR_FAILED, "the supervisor ended at its start");
		err_hint(err, "%s/supervisor.log may say why", session_dir);
	}
	if (!reply)
		return -1;
	json_strv(reply, "degraded", &degraded);
	output_warn_each(spec.name, &degraded);
	*resumed = json_bool(reply, "resumed", false);
	return 0;
}

static int move_to_start(struct state *state, const struct session *s,
			 struct err *err)
{
	cJSON *o;

	/* Its writer has ended while the session was running: that run is
	 * lost. */
	if (phase_is_live(state->phase)) {
		state->lost = state->phase != PHASE_STOPPING;
		state->phase = PHASE_ERROR;
		state->activity = ACTIVITY_NONE;
		o = cJSON_CreateObject();
		json_set_str(o, "phase", phase_name(PHASE_ERROR));
		json_set_str(o, "reason", s->state.error_reason);
		events_append(s->dir, "phase", o, NULL);
	}
	/* The phase stays lost until the session is running: a failed start
	 * must not forget it. */
	state->pid = 0;
	state->supervisor_pid = 0;
	mem_set(&state->error_reason, NULL);
	if (state->phase == PHASE_SUSPENDED)
		return 0; /* the supervisor sets it to starting */
	if (phase_move(&state->phase, PHASE_PROVISIONING, err) < 0)
		return -1;
	events_append(s->dir, "provisioning", NULL, NULL);
	return 0;
}

/* Loads the state. A broken file is renamed and kept, and a new state begins; a
 * file of a newer afw is left alone. */
static int load_state(struct state *state, const struct session *s,
		      struct err *err)
{
	char *aside = NULL;
	int rc;

	if (state_load(state, s->dir, err) == 0)
		return 0;
	if (errno == EPROTONOSUPPORT)
		return -1;
	/* Only because of its content, not after a temporary error. */
	if (errno != ENOENT && !file_is_unusable(errno))
		return err_prefix(err, "start '%s'", s->spec.name);
	rc = errno == ENOENT ? 0 : state_quarantine(s->dir, &aside, err);
	if (rc == 0) {
		if (aside)
			output_warn("%s: %s; it is kept as %s", s->spec.name,
				    err->what, aside);
		state_init(state);
		state->phase = PHASE_ERROR;
		err_clear(err);
	}
	free(aside);
	return rc;
}

int supervise_check(const struct session *s, struct err *err)
{
	int dir;

	if (!s->spec.worktree) {
		err_set(err, ERR_FAILED, "start '%s': it has no worktree",
			s->spec.name);
		return err_hint(err, "`afw rm %s` clears what is left of it",
				s->spec.name);
	}
	if (sandbox_check(&s->spec, NULL, err) < 0)
		return err_prefix(err, "start '%s'", s->spec.name);
	for (size_t i = 0; i < spec_count(&s->spec); i++) {
		struct spec one = spec_of(&s->spec, i);

		dir = one.worktree ? spec_open_worktree(&one, err)
				   : err_set(err, ERR_FAILED,
					     "its worktree of %s was not made",
					     one.repository);
		if (dir < 0)
			return err_prefix(err, "start '%s'", s->spec.name);
		close(dir);
	}
	/* The runtime directory does not survive a restart of the machine. */
	if (dirs_prepare(err) < 0)
		return err_prefix(err, "start '%s'", s->spec.name);
	return 0;
}

int supervise_lock(const struct session *s, const struct config *config,
		   struct err *err)
{
	int limit = limit_lock_checked(config_int(config, OPTION_MAX_SESSIONS),
				       err),
	    lock_fd;

	if (limit == -1)
		return err_prefix(err, "start '%s'", s->spec.name);
	lock_fd = lock_acquire_soon(s->dir, err);
	file_close(limit);
	/* A supervisor that was killed could not end its harness. */
	if (lock_fd >= 0 && sandbox_stop(&s->spec, s->state.sandbox,
					 s->spec.stop_timeout_ms, err) < 0) {
		close(lock_fd);
		lock_fd = -1;
	}
	if (lock_fd < 0)
		err_prefix(err, "start '%s'", s->spec.name);
	return lock_fd;
}

static int prepare_files(const struct session *s, const struct supervise *how,
			 struct err *err)
{
	struct state state;
	bool was_suspended;
	int rc;

	if (settings_refresh(how->plan->config, s, &how->plan->env, err) < 0 ||
	    load_state(&state, s, err) < 0)
		return -1;
	was_suspended = state.phase == PHASE_SUSPENDED;
	rc = move_to_start(&state, s, err);
	if (rc == 0)
		rc = state_save(&state, s->dir, true, err);
	state_finish(&state);
	if (rc == 0 && !was_suspended)
		events_append(s->dir, "ready", NULL, NULL);
	return rc;
}

/* Of a session that an older afw made, or that was restored. */
static int choose_ports(const struct session *s, const struct config *c,
			struct err *err)
{
	return ports_ensure(s, config_str(c, OPTION_PORT_RANGE), err) < 0
		   ? err_prefix(err, "start '%s'", s->spec.name)
		   : 0;
}

int supervise_again(const struct session *s, const struct supervise *how,
		    bool *resumed, struct err *err)
{
	int lock_fd;

	if (supervise_check(s, err) < 0)
		return -1;
	lock_fd = supervise_lock(s, how->plan->config, err);
	if (lock_fd < 0)
		return -1;
	/* Read it again: only from here on no other process can write it. */
	if (choose_ports(s, how->plan->config, err) < 0 ||
	    prepare_files(s, how, err) < 0) {
		close(lock_fd);
		return -1;
	}
	return supervise_start(s->dir, lock_fd, how, resumed, err);
}
