/*
 * service.c - one service's process.
 *
 *   supervisor -- guard -- the service
 *
 * The guard is this program, started again (service_guard()): it only ever has
 * the environment of this one service, and wipes it.
 */
#include "supervisor/services/service.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/env_list.h"
#include "base/file.h"
#include "base/json.h"
#include "base/session_vars.h"
#include "base/spawn.h"
#include "base/tree.h"
#include "sandbox/sandbox.h"
#include "supervisor/harness/harness.h"

#define CHUNK	 65536
#define TAIL_MAX ((size_t)2048)

void service_init(struct service *s, struct supervisor *sv, const cJSON *spec,
		  const struct service_events *events)
{
	*s = (struct service){.events = events,
			      .sv = sv,
			      .spec = spec,
			      .name = json_str_or(spec, "name", "?"),
			      .guarded.fd = -1,
			      .out = -1,
			      .log.fd = -1};
	spec_set_vars(&sv->spec, &s->vars);
	s->ready =
	    session_vars_expand(json_str_or(spec, "ready", ""), &s->vars);
	s->check.wrong = ready_parse(s->ready, &s->check.how);
}

static void close_output(struct service *s)
{
	loop_io_remove(s->out_io);
	s->out_io = NULL;
	file_reset(&s->out);
}

void service_finish(struct service *s)
{
	service_check_end(s);
	guarded_finish(&s->guarded);
	close_output(s);
	file_close(s->log.fd);
	buf_finish(&s->log.tail);
	strv_finish(&s->env);
	strv_finish(&s->vars);
	free(s->ready);
}

/* -- its output and its end --------------------------------------------------
 */

/* Returns false if nothing more can be read now, or ever. */
static bool read_some(struct service *s)
{
	struct buf *tail = &s->log.tail;
	char data[CHUNK];
	ssize_t n = s->out < 0 ? 0 : read(s->out, data, sizeof data);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (n <= 0) {
		close_output(s);
		return false;
	}
	service_log_add(s, data, (size_t)n);
	service_check_printed(s, (size_t)n);
	if (tail->len > TAIL_MAX)
		buf_drop(tail, tail->len - TAIL_MAX);
	return true;
}

static void on_output(void *ctx, int fd, short revents)
{
	read_some(ctx);
}

/* Processes that are left are not the service itself: its guard ends them. */
static void on_exited(void *ctx, int status)
{
	struct service *s = ctx;
	pid_t guard = s->guarded.guard; /* 0: it has been reaped */
	const struct sandbox *tier = sandbox_find(s->sv->spec.sandbox);
	/* In a container none is left: the others are its helpers. */
	int left =
	    !guard || (tier && tier->probe) || json_bool(s->spec, "once", false)
		? 0
		: tree_kill(guard, NULL, 0);
	size_t n;

	s->wait_status = status;
	s->failed |= status != 0;
	guarded_finish(&s->guarded);
	if (s->why[0]) /* it was late */
		return;
	if (WIFSIGNALED(status))
		snprintf(s->why, sizeof s->why, "was killed by signal %d (%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(s->why, sizeof s->why, "exited with code %d",
			 WEXITSTATUS(status));
	n = strlen(s->why);
	if (left > 0 && WIFEXITED(status) && s->state != SERVICE_STOPPING)
		snprintf(s->why + n, sizeof s->why - n,
			 " (it must stay in the foreground: %d of its "
			 "processes still ran, and %s ended)",
			 left, left == 1 ? "was" : "were");
}

static void on_lost(void *ctx, const char *why)
{
	struct service *s = ctx;

	if (s->why[0])
		return;
	snprintf(s->why, sizeof s->why, "%s",
		 s->state == SERVICE_STOPPING ? "was killed"
					      : "lost its guard");
	s->failed = true;
}

bool service_reaped(struct service *s, pid_t pid, int wait_status)
{
	if (!guarded_reap(&s->guarded, pid))
		return false;
	guarded_finish(&s->guarded);
	service_check_end(s);
	loop_timer_stop(s->timer);
	for (int i = 0; i < 64 && read_some(s); i++)
		;
	close_output(s);
	s->events->gone(s);
	return true;
}

void service_stop(struct service *s, int64_t grace_ms)
{
	service_check_end(s);
	loop_timer_stop(s->timer);
	if (!s->guarded.guard)
		return;
	s->state = SERVICE_STOPPING;
	tree_kill(s->guarded.guard, NULL, SIGCONT);
	tree_kill(s->guarded.guard, NULL, SIGTERM);
	if (grace_ms > 0)
		loop_timer_set(s->timer, grace_ms);
	else
		guarded_finish(&s->guarded);
}

/* -- its start ---------------------------------------------------------------
 */

bool service_is_shell(const struct service *s)
{
	return json_bool(s->spec, "shell", false);
}

static void make_env(const struct service *s, const struct strv *all,
		     struct strv *env)
{

	_strv_ struct strv own = {0};

	strv_copy(env, all);
	for (size_t i = 0; i < s->env.n; i++)
		env_apply(env, s->env.v[i]);
	json_strv(s->spec, "env", &own);
	session_vars_expand_all(&own, &s->vars);
	for (size_t i = 0; i < own.n; i++)
		if (strchr(own.v[i], '='))
			env_apply(env, own.v[i]);
	harness_env(s->sv, env);
	if (!service_is_shell(s))
		env_set(env, "PWD", s->sv->spec.worktree);
	/* For the harness only. */
	env_apply(env, "AF_DOOR");
	env_apply(env, "COLORTERM");
	env_set(env, "TERM", "dumb");
}

/* Makes the guard's command line. *fd: descriptor 3 for the service, or -1. */
static int make_argv(const struct service *s, int sock, struct strv *argv,
		     struct strv *env, int *fd, struct err *err)
{
	const struct spec *spec = &s->sv->spec;
	_strv_ struct strv command = {0}, degraded = {0};
	/* It gets its own sandbox limits, made like the session's. */
	struct sandbox_start st = {.spec = spec,
				   .dir = s->sv->dir,
				   .home = s->sv->home,
				   .argv = &command,
				   .env = env,
				   .degraded = &degraded,
				   .fd = fd,
				   .at_top = !service_is_shell(s)};
	int rc = sandbox_enter_home(spec, s->sv->home, NULL, env, err);

	json_strv(s->spec, "command", &command);
	session_vars_expand_all(&command, &s->vars);
	if (rc == 0)
		rc = sandbox_exec(&st, s->sv->pid ? s->sv->state.sandbox : NULL,
				  err);
	if (rc == 0)
		guarded_argv(sock, false, *fd > 0 ? (int[]){*fd, 0} : NULL,
			     command.v, argv);
	return rc;
}

/* Returns the guard, or -1. */
static pid_t start_guard(const struct service *s, const struct strv *all,
			 int sock, int out, struct err *err)
{
	_strv_ struct strv argv = {0}, env = {0};
	const struct spec *spec = &s->sv->spec;
	_close_ int fd = -1, dir_fd = service_is_shell(s)
					  ? spec_open_directory(spec, err)
					  : spec_open_worktree(spec, err);
	struct spawn sp = {.dir = spec->worktree,
			   .dir_fd = dir_fd,
			   .fd = {-1, out, out},
			   .keep = {sock},
			   .new_session = true};
	pid_t pid = -1;

	if (dir_fd < 0)
		return -1;
	make_env(s, all, &env);
	if (make_argv(s, sock, &argv, &env, &fd, err) == 0) {
		sp.keep[1] = fd > 0 ? fd : 0;
		sp.argv = argv.v;
		sp.envp = env.v;
		pid = spawn_start(&sp, err);
	}
	return pid;
}

int service_run(struct service *s, const struct strv *env, struct err *err)
{
	const cJSON *command = json_get(s->spec, "command");
	const struct terminal_events events = {
	    .ctx = s, .exited = on_exited, .lost = on_lost};
	_pipe_ int ends[2] = {-1, -1};
	_pipe_ int out[2] = {-1, -1};
	pid_t guard;

	s->started_at = clock_mono_ms();
	buf_clear(&s->log.tail);
	if (service_check_ready(s, err) < 0)
		return -1;
	s->why[0] = '\0';
	s->failed = false;
	s->pid = 0;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0 ||
	    pipe2(out, O_CLOEXEC) < 0)
		return err_errno(err, "make a socket");
	guard = start_guard(s, env, ends[1], out[1], err);
	if (guard < 0)
		return -1;
	/* Otherwise their end would not be noticed. */
	file_reset(&ends[1]);
	file_reset(&out[1]);
	guarded_adopt(&s->guarded, s->sv->loop, TAKE_FD(ends[0]), guard,
		      &events);
	s->out = TAKE_FD(out[0]);
	file_set_nonblock(s->out);
	if (guarded_wait_start(s->guarded.fd, &s->pid) < 0) {
		/* gone() follows */
		snprintf(s->why, sizeof s->why, "could not run %.100s: %s",
			 cJSON_GetStringValue(command->child), strerror(errno));
		s->failed = true;
		guarded_finish(&s->guarded);
		return 0;
	}
	s->out_io = loop_io_add(s->sv->loop, s->out, POLLIN, on_output, s);
	return 0;
}
