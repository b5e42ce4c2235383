/* foreground.c - a child that is waited for, and ended with its tree. */
#include "commands/cli/foreground.h"

#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/tree.h"

#define GRACE_MS 2000
#define KILL_MS	 2000

void foreground_begin(struct foreground *f)
{
	static const int signals[] = {SIGCHLD, SIGINT, SIGQUIT, SIGTERM,
				      SIGHUP};

	*f = (struct foreground){0};
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigemptyset(&f->signals);
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
		sigaddset(&f->signals, signals[i]);
	sigprocmask(SIG_BLOCK, &f->signals, &f->before);
}

static bool reap(struct foreground *f)
{
	bool reaped = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == f->pid) {
			f->status = status;
			reaped = true;
		}
	return reaped;
}

int foreground_wait(struct foreground *f, int64_t until, siginfo_t *signal)
{
	while (!reap(f)) {
		int64_t left = until - clock_mono_ms();
		struct timespec ts = {.tv_sec = left / 1000,
				      .tv_nsec = left % 1000 * 1000000};
		int signo;

		if (left <= 0)
			return -1;
		signo = sigtimedwait(&f->signals, signal, &ts);
		if (signo > 0 && signo != SIGCHLD)
			return signo;
	}
	return 0;
}

void foreground_end(struct foreground *f)
{
	int64_t now = clock_mono_ms(), kill_at = now + GRACE_MS;
	bool reaped = false;

	tree_stop(getpid(), NULL, SIGTERM);
	while (now < kill_at + KILL_MS) {
		reaped |= reap(f);
		now = clock_mono_ms();
		if ((now < kill_at ? tree_kill(getpid(), NULL, 0)
				   : tree_storm(getpid(), NULL)) == 0 &&
		    reaped)
			return;
		nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
	}
}

void foreground_finish(const struct foreground *f)
{
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	sigprocmask(SIG_SETMASK, &f->before, NULL);
}
