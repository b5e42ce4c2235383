/*
 * pty.c - a pseudo-terminal of the supervisor's own.
 *
 *   supervisor -- guard -- the harness
 *
 * The guard (guard.h) is forked, and does not exec: of its memory nearly all
 * is shared with the supervisor, and it costs no time. It keeps nothing open
 * but its end of a socket, and tells the harness's end over that.
 */
#include "terminal/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "terminal/guard.h"

#define END_MS 3000 /* for a guard that has nobody left to guard */

struct terminal {
	struct loop *loop;
	struct loop_io *guard_io;
	struct terminal_events events;
	int master, guard_fd; /* guard_fd -1: closed */
	pid_t guard;	      /* 0: gone */
	bool exited;	      /* the harness */
	bool lost, closing;
	int64_t kill_at;
};

/* -- the guard ------------------------------------------------------------- */

/* In the new process: nothing of the supervisor's stays open, its lock least
 * of all. */
static _Noreturn void guard(const struct terminal_start *st, int sock, int tty)
{
	struct guard_start how = {.dir = st->dir_fd,
				  .fds = st->fds,
				  .argv = st->argv,
				  .envp = st->envp};
	int keep[GUARD_FDS + 3] = {sock, st->dir_fd}, signals;

	for (int fd = 0; fd <= 2; fd++)
		if (dup2(tty, fd) < 0)
			_exit(1);
	for (int i = 0; i < GUARD_FDS && st->fds && st->fds[i]; i++)
		keep[2 + i] = st->fds[i];
	spawn_close_others(keep);
	signals = guard_init();
	_exit(signals < 0 ? 1 : guard_run(&how, sock, signals));
}

static pid_t start_guard(const struct terminal_start *st, int sock, int tty)
{
	sigset_t all, old;
	pid_t pid;

	/* None of the supervisor's handlers is to run in it. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	pid = fork();
	if (pid == 0)
		guard(st, sock, tty);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return pid;
}

static void close_guard(struct terminal *t)
{
	loop_io_remove(t->guard_io);
	t->guard_io = NULL;
	file_reset(&t->guard_fd);
}

static void lose(struct terminal *t)
{
	if (t->exited || t->lost || t->closing)
		return;
	t->lost = true;
	t->events.lost(t->events.ctx, "the process that guarded it was killed");
}

static void on_guard(void *ctx, int fd, short revents)
{
	struct terminal *t = ctx;
	struct guard_report r;
	int n = guard_read(fd, &r);

	if (n == 0)
		return;
	if (n > 0 && r.event == GUARD_EXITED) {
		t->exited = true;
		t->events.exited(t->events.ctx, r.value);
		return;
	}
	close_guard(t);
	lose(t);
}

/* -- start and end --------------------------------------------------------- */

static struct terminal *start(const struct terminal_start *st, pid_t *pid,
			      struct err *err)
{
	struct winsize ws = {.ws_col = (unsigned short)st->cols,
			     .ws_row = (unsigned short)st->rows};
	int master, slave, ends[2], rc;
	struct terminal *t;
	pid_t guard_pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) {
		err_errno(err, "make a socket");
		return NULL;
	}
	if (openpty(&master, &slave, NULL, NULL, &ws) < 0) {
		err_errno(err, "make a terminal");
		close(ends[0]);
		close(ends[1]);
		return NULL;
	}
	file_set_cloexec(master, true);
	file_set_nonblock(master);
	guard_pid = start_guard(st, ends[1], slave);
	rc = guard_pid < 0 ? -1 : 0;
	close(slave);
	close(ends[1]);
	if (rc == 0)
		rc = guard_wait_start(ends[0], pid);
	if (rc < 0) {
		err_errno(err, "run %s in %s", st->argv[0], st->dir);
		close(master);
		close(ends[0]);
		/* It may hang where the program is, on a dead NFS server. */
		if (guard_pid > 0)
			kill(guard_pid, SIGKILL);
		while (guard_pid > 0 && waitpid(guard_pid, NULL, 0) < 0 &&
		       errno == EINTR)
			continue;
		return NULL;
	}
	t = mem_alloc(sizeof *t);
	*t = (struct terminal){.loop = st->loop,
			       .events = st->events,
			       .master = master,
			       .guard_fd = ends[0],
			       .guard = guard_pid};
	t->guard_io = loop_io_add(t->loop, t->guard_fd, POLLIN, on_guard, t);
	return t;
}

static void destroy(struct terminal *t)
{
	if (!t)
		return;
	close_guard(t);
	close(t->master);
	free(t);
}

static bool reaped(struct terminal *t, pid_t pid, int status)
{
	if (pid != t->guard)
		return false;
	t->guard = 0;
	/* What it said before counts more than its end. */
	if (t->guard_fd >= 0)
		on_guard(t, t->guard_fd, POLLIN);
	lose(t);
	return true;
}

static bool end(struct terminal *t)
{
	int64_t now = clock_mono_ms();

	if (!t->closing) {
		t->closing = true;
		t->kill_at = now + END_MS;
		close_guard(t);
	}
	if (t->guard > 0 && now >= t->kill_at)
		kill(t->guard, SIGKILL);
	return !t->guard;
}

static bool kill_tree(const struct terminal *t)
{
	return guard_kill(t->guard_fd);
}

static void helpers(const struct terminal *t, pid_t out[TERMINAL_HELPERS])
{
	out[0] = t->guard;
	out[1] = 0;
}

/* -- the terminal -------------------------------------------------------------
 */

static int get_fd(const struct terminal *t)
{
	return t->master;
}

static ssize_t read_some(struct terminal *t, char *data, size_t len)
{
	ssize_t n = read(t->master, data, len);

	/* EIO: the last process that had the terminal open is gone. */
	if (n < 0 && errno == EIO)
		return 0;
	if (n < 0 && errno == EINTR)
		errno = EAGAIN;
	return n;
}

static ssize_t write_some(struct terminal *t, const char *data, size_t len)
{
	ssize_t n = write(t->master, data, len);

	if (n < 0 && errno == EINTR)
		errno = EAGAIN;
	return n;
}

static int resize(struct terminal *t, int cols, int rows)
{
	struct winsize ws = {.ws_col = (unsigned short)cols,
			     .ws_row = (unsigned short)rows};

	return ioctl(t->master, TIOCSWINSZ, &ws);
}

static int tty(const struct terminal *t, struct terminal_tty *out)
{
	struct termios tio;

	if (tcgetattr(t->master, &tio) < 0)
		return -1;
	out->canonical = tio.c_lflag & ICANON;
	out->echo = tio.c_lflag & ECHO;
	return 0;
}

const struct terminal_backend terminal_pty = {
    .name = "pty",
    .start = start,
    .destroy = destroy,
    .fd = get_fd,
    .read = read_some,
    .write = write_some,
    .resize = resize,
    .tty = tty,
    .helpers = helpers,
    .kill = kill_tree,
    .reaped = reaped,
    .end = end,
};
