/*
 * tmux_start.c - starts a tmux server with a harness in a pane.
 *
 * One call of tmux makes server, session, pane and pipe. The two processes that
 * tmux then runs connect to the supervisor, which starts the harness only when
 * it has the pipe, so that no byte of output is lost. tmux gets our small
 * environment, and the variables that keep it from other tmux servers.
 */
#include "terminal/tmux_start.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/spawn.h"
#include "terminal/guard.h"
#include "terminal/guarded.h"
#include "terminal/tmux_args.h"
#include "terminal/tmux_pane.h"
#include "wire/program.h"
#include "wire/sock.h"

#define CALL_MS	   10000
#define VERSION_MS 5000
#define OUTPUT_MAX 4096
#define UNDO_MS	   1000

/* -- can it be had? ---------------------------------------------------------
 */

/* Runs tmux to its end; if it fails, its message is the error. */
static int run(struct strv *argv, char *const *envp, struct buf *out,
	       int64_t timeout_ms, struct err *err)
{
	struct spawn sp = {.argv = argv->v, .envp = envp, .dir = "/"};
	_buf_ struct buf errors = {0};
	int status = 0, rc;

	rc = spawn_run(&sp, NULL, out, &errors, OUTPUT_MAX, timeout_ms, &status,
		       err);
	if (rc == 0 && status != 0) {
		size_t len = errors.len ? strcspn(errors.data, "\n") : 0;

		rc = err_set(err, ERR_FAILED, "%s: %.*s", argv->v[0],
			     len ? (int)len : 9,
			     len ? errors.data : "it failed");
	}
	strv_finish(argv);
	return rc;
}

static int version(char *const *envp, struct err *err)
{
	static const char hint[] = "install tmux 3.3 or newer, or use "
				   "--backend pty";
	struct strv argv = {0};
	struct buf out = {0};
	int v;

	tmux_args_query_version(&argv);
	if (run(&argv, envp, &out, VERSION_MS, err) < 0) {
		buf_finish(&out);
		err_prefix(err, "backend tmux");
		return err_hint(err, "%s", hint);
	}
	v = tmux_args_version(out.data ? out.data : "");
	if (v < TMUX_MINIMUM) {
		size_t len = out.data ? strcspn(out.data, "\n") : 0;

		err_set(err, ERR_FAILED,
			"backend tmux: this is '%.*s', afw needs tmux %d.%d or "
			"newer",
			(int)(len < 40 ? len : 40), len ? out.data : "",
			TMUX_MINIMUM / 100, TMUX_MINIMUM % 100);
		err_hint(err, "%s", hint);
		v = -1;
	}
	buf_finish(&out);
	return v;
}

int tmux_start_check(struct err *err)
{
	return version(NULL, err) < 0 ? -1 : 0;
}

const char *tmux_start_term(void)
{
	static const char *const places[] = {
	    "/usr/share/terminfo/t/tmux-256color",
	    "/lib/terminfo/t/tmux-256color", "/etc/terminfo/t/tmux-256color",
	    "/usr/share/terminfo/74/tmux-256color", NULL};

	for (size_t i = 0; places[i]; i++)
		if (access(places[i], R_OK) == 0)
			return "tmux-256color";
	return "screen-256color";
}

/* -- files and environment ------------------------------------------------ */

static void set_env(const struct terminal_start *st, struct tmux_started *s)
{
	_free_ char *program = program_find("afw-guard");

	for (char **e = environ; *e; e++)
		if (strncmp(*e, "TMUX", 4) != 0 &&
		    strncmp(*e, "LC_CTYPE=", 9) != 0)
			strv_add(&s->env, *e);
	strv_add(&s->env, "LC_CTYPE=C.UTF-8");
	strv_add(&s->env, "SHELL=/bin/sh");
	strv_addf(&s->env, "%s=%s", TMUX_ENV_PROGRAM, program);
	strv_addf(&s->env, "%s=%s", TMUX_ENV_SOCKET, s->pane_socket);
	/* A later afw finds processes of a killed one by this variable. */
	strv_addf(&s->env, "AF_SESSION_ID=%s", st->id);
}

static int write_config(const struct terminal_start *st, struct err *err)
{
	_free_ char *path = file_join(st->state, "tmux.conf");
	_buf_ struct buf text = {0};

	tmux_args_config(&text, st->scrollback, tmux_start_term());
	return file_replace(AT_FDCWD, path, text.data, text.len, false, err);
}

static void kill_old(const struct tmux_started *s)
{
	struct strv argv = {0};
	struct err ignored;

	if (access(s->socket, F_OK) < 0)
		return;
	tmux_args_kill(s->socket, &argv);
	run(&argv, s->env.v, NULL, CALL_MS, &ignored);
	unlink(s->socket);
}

/* -- the start ------------------------------------------------------------- */

static int start_server(const struct terminal_start *st, struct tmux_started *s,
			struct err *err)
{
	char *program = program_find("afw-guard");
	struct tmux_args_start how = {.socket = s->socket,
				      .config = s->config,
				      .cols = st->cols,
				      .rows = st->rows,
				      .program = program,
				      .pane_socket = s->pane_socket};
	struct strv argv = {0};
	_buf_ struct buf out = {0};
	char *end = NULL;
	int rc;

	tmux_args_start(&how, &argv);
	rc = run(&argv, s->env.v, &out, CALL_MS, err);
	if (out.data)
		s->server = (pid_t)strtol(out.data, &end, 10);
	if (rc == 0 && s->server > 1 && end[0] == ' ' && end[1] == '%')
		snprintf(s->pane_id, sizeof s->pane_id, "%.*s",
			 (int)strcspn(end + 1, " \n"), end + 1);
	else if (rc == 0)
		rc = err_set(err, ERR_FAILED,
			     "tmux did not report its new pane");
	free(program);
	return rc;
}

static void set_timeouts(int fd)
{
	struct timeval tv = {.tv_sec = CALL_MS / 1000};

	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof tv);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof tv);
}

/* Accepts one of the two processes and stores the descriptor that it sent. */
static void accept_one(struct tmux_started *s, int conn)
{
	struct ucred who;
	char letter = 0;
	int fd = -1;

	set_timeouts(conn);
	if (!sock_peer_is_same_user(conn, &who) ||
	    sock_receive_fd(conn, &letter, 1, &fd) != 1 || fd < 0) {
		close(conn);
	} else if (letter == TMUX_PANE_PIPE && s->output_fd < 0) {
		s->output_fd = fd;
		close(conn);
		return;
	} else if (letter == TMUX_PANE_TTY && s->pane_fd < 0) {
		s->tty_fd = fd;
		s->pane_fd = conn;
		s->pane = who.pid;
		return;
	} else {
		close(conn);
	}
	file_close(fd);
}

static int accept_both(struct tmux_started *s, int listen_fd, struct err *err)
{
	int64_t by = clock_mono_ms() + CALL_MS;

	while (s->output_fd < 0 || s->pane_fd < 0) {
		struct pollfd p = {.fd = listen_fd, .events = POLLIN};
		int64_t left = by - clock_mono_ms();
		int conn;

		if (left <= 0)
			return err_set(err, ERR_TIMEOUT,
				       "tmux did not start the program "
				       "within %d s",
				       CALL_MS / 1000);
		if (poll(&p, 1, (int)left) <= 0)
			continue;
		conn = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC);
		if (conn >= 0)
			accept_one(s, conn);
	}
	return 0;
}

static void add_string(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s) + 1);
}

static int start_harness(const struct terminal_start *st,
			 struct tmux_started *s, pid_t *pid, struct err *err)
{
	int fds[1 + GUARD_FDS] = {st->dir_fd}, n_fds = 1, n = 0, rc = -1;
	_buf_ struct buf text = {0};
	char number[16];
	uint32_t len;

	for (; n_fds <= GUARD_FDS && st->fds && st->fds[n_fds - 1]; n_fds++)
		fds[n_fds] = st->fds[n_fds - 1];

	while (st->argv[n])
		n++;
	snprintf(number, sizeof number, "%d", n);
	add_string(&text, number);
	for (int i = 0; i < n; i++)
		add_string(&text, st->argv[i]);
	for (char *const *e = st->envp; *e; e++)
		add_string(&text, *e);
	len = (uint32_t)text.len;
	if (sock_send_fds(s->pane_fd, &len, sizeof len, fds, (size_t)n_fds) ==
	    sizeof len)
		rc = file_write_all(s->pane_fd, text.data, text.len);
	explicit_bzero(text.data, text.len);
	if (rc < 0)
		errno = ECHILD;
	else
		rc = guarded_wait_start(s->pane_fd, pid);
	if (rc == 0)
		return 0;
	if (errno == ECHILD)
		return err_set(err, ERR_FAILED,
			       "start %s: the tmux pane ended at once",
			       st->argv[0]);
	return err_errno(err, "run %s in %s", st->argv[0], st->dir);
}

int tmux_start(const struct terminal_start *st, struct tmux_started *s,
	       pid_t *pid, struct err *err)
{
	int listen_fd = -1, rc = -1;

	*s = (struct tmux_started){
	    .socket = mem_printf("%s.tmux", st->run),
	    .pane_socket = mem_printf("%s.pane", st->run),
	    .config = file_join(st->state, "tmux.conf"),
	    .output_fd = -1,
	    .tty_fd = -1,
	    .pane_fd = -1,
	};
	set_env(st, s);
	s->version = version(s->env.v, err);
	if (s->version < 0 || write_config(st, err) < 0)
		goto out;
	kill_old(s);
	listen_fd = sock_listen(s->pane_socket, 4, err);
	if (listen_fd < 0)
		goto out;
	if (start_server(st, s, err) < 0 ||
	    accept_both(s, listen_fd, err) < 0 ||
	    start_harness(st, s, pid, err) < 0)
		goto out;
	file_set_nonblock(s->output_fd);
	file_set_nonblock(s->pane_fd);
	rc = 0;
out:
	file_close(listen_fd);
	unlink(s->pane_socket);
	if (rc < 0)
		tmux_start_undo(s);
	return rc;
}

/* Signals it, and waits a moment if it is our child. */
static void end_process(pid_t pid, int signo)
{
	int64_t by = clock_mono_ms() + UNDO_MS;

	if (pid <= 0 || kill(pid, signo) < 0)
		return;
	while (waitpid(pid, NULL, WNOHANG) == 0 && clock_mono_ms() < by)
		poll(NULL, 0, 2);
}

bool tmux_start_listens(const struct tmux_started *s)
{
	char *dir;

	if (access(s->socket, F_OK) == 0)
		return true;
	dir = mem_strndup(s->socket,
			  (size_t)(strrchr(s->socket, '/') - s->socket));
	/* tmux(1): "recreate the socket". */
	if ((mkdir(dir, 0700) == 0 || errno == EEXIST) &&
	    file_private_dir(dir, NULL) == 0 && s->server > 0)
		kill(s->server, SIGUSR1);
	free(dir);
	return false;
}

void tmux_start_undo(struct tmux_started *s)
{
	file_reset(&s->pane_fd);
	if (s->server <= 0 && s->pane_id[0] == '\0')
		kill_old(s); /* it may have started without a message */
	end_process(s->server, SIGKILL);
	end_process(s->pane, SIGKILL);
	file_reset(&s->output_fd);
	file_reset(&s->tty_fd);
	unlink(s->socket);
	unlink(s->config);
	strv_finish(&s->env);
	free(s->socket);
	free(s->pane_socket);
	free(s->config);
}
