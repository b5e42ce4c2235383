/* guarded.c - the supervisor's end of a guard. */
#include "terminal/guarded.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/spawn.h"
#include "terminal/guard.h"
#include "wire/program.h"

#define START_MS 10000
#define END_MS	 3000 /* for a guard whose tree has ended */

/* Reads its next report: 1 with *out; 0: not yet; -1: the guard has ended. */
static int read_report(int sock, struct guard_report *out)
{
	ssize_t n = recv(sock, out, sizeof *out, MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	return n == sizeof *out ? 1 : -1;
}

int guarded_wait_start(int sock, pid_t *pid)
{
	struct pollfd p = {.fd = sock, .events = POLLIN};
	int64_t by = clock_mono_ms() + START_MS, left;
	struct guard_report r;
	int n;

	while ((n = read_report(sock, &r)) == 0) {
		left = by - clock_mono_ms();
		if (left <= 0) {
			errno = ETIMEDOUT;
			return -1;
		}
		poll(&p, 1, (int)left);
	}
	if (n > 0 && r.event == GUARD_STARTED) {
		*pid = r.value;
		return 0;
	}
	errno = n > 0 ? r.value : ECHILD;
	return -1;
}

bool guarded_kill_tree(int sock)
{
	return sock >= 0 &&
	       (send(sock, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1 ||
		errno == EAGAIN);
}

void guarded_argv(int sock, bool tty, const int *fds, char *const *command,
		  struct strv *argv)
{
	strv_take(argv, program_find("afw-guard"));
	strv_addf(argv, "%d", sock);
	strv_add(argv, tty ? "tty" : "none");
	for (; fds && *fds; fds++)
		strv_addf(argv, "%d", *fds);
	strv_add(argv, "--");
	for (; *command; command++)
		strv_add(argv, *command);
}

static pid_t start_guard(const struct terminal_start *st, int sock,
			 const int fds[3], bool tty, struct err *err)
{
	_strv_ struct strv argv = {0};
	struct spawn sp = {.envp = st->envp,
			   .dir = st->dir,
			   .dir_fd = st->dir_fd,
			   .fd = {fds[0], fds[1], fds[2]},
			   .keep = {sock}};

	for (int i = 0; i < GUARD_FDS && st->fds && st->fds[i]; i++)
		sp.keep[1 + i] = st->fds[i];
	guarded_argv(sock, tty, st->fds, st->argv, &argv);
	sp.argv = argv.v;
	return spawn_start(&sp, err);
}

static void report_lost(struct guarded *g)
{
	if (g->exited || g->lost || g->closing)
		return;
	g->lost = true;
	g->events.lost(g->events.ctx, "the process that guarded it was killed");
}

static void on_guard(void *ctx, int fd, short revents)
{
	struct guarded *g = ctx;
	struct guard_report r;
	int n = read_report(fd, &r);

	if (n == 0)
		return;
	if (n > 0 && r.event == GUARD_EXITED) {
		g->exited = true;
		g->events.exited(g->events.ctx, r.value);
		return;
	}
	if (n > 0 && r.event == GUARD_ALONE) {
		if (g->events.alone)
			g->events.alone(g->events.ctx);
		return;
	}
	guarded_finish(g);
	report_lost(g);
}

void guarded_adopt(struct guarded *g, struct loop *loop, int fd, pid_t guard,
		   const struct terminal_events *events)
{
	*g = (struct guarded){.events = *events, .fd = fd, .guard = guard};
	g->io = loop_io_add(loop, fd, POLLIN, on_guard, g);
}

int guarded_start(struct guarded *g, const struct terminal_start *st,
		  const int fds[3], bool tty, pid_t *pid, struct err *err)
{
	_pipe_ int ends[2] = {-1, -1};
	pid_t guard;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return err_errno(err, "make a socket");
	guard = start_guard(st, ends[1], fds, tty, err);
	file_reset(&ends[1]);
	if (guard < 0)
		return -1;
	if (guarded_wait_start(ends[0], pid) < 0) {
		err_errno(err, "run %s in %s", st->argv[0], st->dir);
		/* It may hang while it opens the program, on a dead NFS
		 * server. */
		kill(guard, SIGKILL);
		while (waitpid(guard, NULL, 0) < 0 && errno == EINTR)
			continue;
		return -1;
	}
	guarded_adopt(g, st->loop, TAKE_FD(ends[0]), guard, &st->events);
	return 0;
}

void guarded_finish(struct guarded *g)
{
	loop_io_remove(g->io);
	g->io = NULL;
	file_reset(&g->fd);
}

bool guarded_reap(struct guarded *g, pid_t pid)
{
	if (pid != g->guard)
		return false;
	g->guard = 0;
	/* Its earlier reports come before its end. */
	if (g->fd >= 0)
		on_guard(g, g->fd, POLLIN);
	report_lost(g);
	return true;
}

/* Returns the first member of a struct terminal that is guarded. */
static struct guarded *guarded_of(const struct terminal *t)
{
	return (struct guarded *)(uintptr_t)t;
}

bool guarded_reaped(struct terminal *t, pid_t pid, int wait_status)
{
	return guarded_reap(guarded_of(t), pid);
}

bool guarded_end(struct terminal *t)
{
	struct guarded *g = guarded_of(t);
	int64_t now = clock_mono_ms();

	if (!g->closing) {
		g->closing = true;
		g->kill_at = now + END_MS;
		guarded_finish(g);
	}
	if (g->guard > 0 && now >= g->kill_at)
		kill(g->guard, SIGKILL);
	return !g->guard;
}

bool guarded_kill(const struct terminal *t)
{
	return guarded_kill_tree(guarded_of(t)->fd);
}

void guarded_helpers(const struct terminal *t, pid_t out[TERMINAL_HELPERS])
{
	out[0] = guarded_of(t)->guard;
	out[1] = 0;
}
