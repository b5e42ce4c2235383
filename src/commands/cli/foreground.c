/* foreground.c - waits for a child process, and ends it with its
 * descendants. */
#include "commands/cli/foreground.h"

#include <errno.h>
#include <limits.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/tree.h"

#define GRACE_MS 2000
#define KILL_MS	 2000

void foreground_begin(struct foreground *f)
{
	static const int signals[] = {SIGCHLD, SIGINT, SIGQUIT, SIGTERM,
				      SIGHUP};

	*f = (struct foreground){0};
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigprocmask(SIG_BLOCK, NULL, &f->before);
	sigemptyset(&f->signals);
	for (size_t i = 0; i < FOREGROUND_FDS + 1; i++)
		f->fds[i].fd = -1;
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
		foreground_catch(f, signals[i]);
}

void foreground_catch(struct foreground *f, int signo)
{
	struct pollfd *p = &f->fds[FOREGROUND_FDS];

	sigaddset(&f->signals, signo);
	sigprocmask(SIG_BLOCK, &f->signals, NULL);
	p->fd = signalfd(p->fd, &f->signals, SFD_CLOEXEC | SFD_NONBLOCK);
	p->events = POLLIN;
}

static bool reap(struct foreground *f)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == f->pid) {
			f->status = status;
			f->ended = true;
		}
	return f->ended;
}

int foreground_wait(struct foreground *f, int64_t until,
		    struct signalfd_siginfo *signal)
{
	struct pollfd *p = &f->fds[FOREGROUND_FDS];

	while (!reap(f)) {
		int64_t left = until - clock_mono_ms();

		if (left <= 0)
			return -1;
		if (poll(f->fds, FOREGROUND_FDS + 1,
			 left < INT_MAX ? (int)left : INT_MAX) <= 0)
			continue;
		if (!p->revents)
			return FOREGROUND_READY;
		if (read(p->fd, signal, sizeof *signal) == sizeof *signal &&
		    signal->ssi_signo != SIGCHLD)
			return (int)signal->ssi_signo;
	}
	return 0;
}

/* As a subreaper, we wait until the kernel reports that no child is left. */
void foreground_end(struct foreground *f)
{
	int64_t now = clock_mono_ms(), kill_at = now + GRACE_MS;

	tree_stop(getpid(), NULL, SIGTERM);
	for (; now < kill_at + KILL_MS; now = clock_mono_ms()) {
		reap(f);
		if (tree_is_alone(NULL))
			return;
		if (now >= kill_at)
			tree_kill_all(getpid(), NULL);
		nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
	}
}

void foreground_finish(const struct foreground *f)
{
	file_close(f->fds[FOREGROUND_FDS].fd);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	sigprocmask(SIG_SETMASK, &f->before, NULL);
}

int foreground_lend(const struct spawn *sp, int *status, struct err *err)
{
	static const int signals[] = {SIGINT, SIGQUIT};
	struct sigaction ignore = {.sa_handler = SIG_IGN}, old[2];
	pid_t pid;
	int rc;

	for (size_t i = 0; i < 2; i++)
		sigaction(signals[i], &ignore, &old[i]);
	pid = spawn_start(sp, err);
	do
		rc = pid < 0 ? -1 : waitpid(pid, status, 0) == pid ? 0 : -1;
	while (pid > 0 && rc < 0 && errno == EINTR);
	for (size_t i = 0; i < 2; i++)
		sigaction(signals[i], &old[i], NULL);
	return rc;
}
