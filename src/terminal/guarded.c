/* guarded.c - the supervisor's end of a guard. */
#include "terminal/guarded.h"

#include <errno.h>
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

#define END_MS 3000 /* for a guard whose tree has ended */

/* Runs in the new process: closes everything of the supervisor, above all its
 * lock. */
static _Noreturn void guard(const struct terminal_start *st, int sock,
			    const int fds[3], bool tty)
{
	struct guard_start how = {.dir = st->dir_fd,
				  .fds = st->fds,
				  .argv = st->argv,
				  .envp = st->envp,
				  .no_terminal = !tty};
	int keep[GUARD_FDS + 3] = {sock, st->dir_fd}, signals;

	for (int fd = 0; fd <= 2; fd++)
		if (dup2(fds[fd], fd) < 0)
			_exit(1);
	for (int i = 0; i < GUARD_FDS && st->fds && st->fds[i]; i++)
		keep[2 + i] = st->fds[i];
	spawn_close_others(keep);
	signals = guard_init();
	_exit(signals < 0 ? 1 : guard_run(&how, sock, signals));
}

static pid_t fork_guard(const struct terminal_start *st, int sock,
			const int fds[3], bool tty)
{
	sigset_t all, old;
	pid_t pid;

	/* None of the supervisor's signal handlers may run in it. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	pid = fork();
	if (pid == 0)
		guard(st, sock, fds, tty);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return pid;
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
	int n = guard_read(fd, &r);

	if (n == 0)
		return;
	if (n > 0 && r.event == GUARD_EXITED) {
		g->exited = true;
		g->events.exited(g->events.ctx, r.value);
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
	guard = fork_guard(st, ends[1], fds, tty);
	file_reset(&ends[1]);
	if (guard < 0 || guard_wait_start(ends[0], pid) < 0) {
		err_errno(err, "run %s in %s", st->argv[0], st->dir);
		/* It may hang while it opens the program, on a dead NFS
		 * server. */
		if (guard > 0)
			kill(guard, SIGKILL);
		while (guard > 0 && waitpid(guard, NULL, 0) < 0 &&
		       errno == EINTR)
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
	return guard_kill(guarded_of(t)->fd);
}

void guarded_helpers(const struct terminal *t, pid_t out[TERMINAL_HELPERS])
{
	out[0] = guarded_of(t)->guard;
	out[1] = 0;
}
