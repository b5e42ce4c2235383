/*
 * inside.c - `afw-supervisor inside`: the first program in a container. It
 * reads the environment from a pipe, so that nothing outside stores or uses it,
 * blocks system calls and becomes the command.
 */
#include "sandbox/confine/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/tree.h"
#include "sandbox/confine/calls.h"

#define ENV_FD	3
#define ENV_MAX ((size_t)1024 * 1024)

extern char **environ;

static const int signals[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, 0};

static void set_signals(void (*how)(int))
{
	for (const int *signo = signals; *signo; signo++)
		signal(*signo, how);
}

/*
 * Forks, so that signals to the whole tree reach the processes below us:
 * otherwise they would become the container's, out of reach. Returns 0 in the
 * child.
 */
static pid_t stay_above(int *status)
{
	pid_t pid, ended;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	set_signals(SIG_IGN);
	pid = fork();
	if (pid == 0)
		set_signals(SIG_DFL);
	if (pid <= 0)
		return pid;
	do {
		ended = waitpid(-1, status, 0);
	} while (ended != pid && (ended > 0 || errno == EINTR));
	while (tree_kill_all(getpid(), NULL) > 0 || waitpid(-1, NULL, 0) > 0)
		;
	return pid;
}

/* Opens the FIFO of the environment as descriptor 3, if there is one, reports
 * that the container is ready, and waits until the reader has closed that
 * FIFO. */
static void open_fifos(void)
{
	struct pollfd said = {0};
	int env = open(INSIDE_FIFOS "/" INSIDE_FIFO_ENV, O_RDONLY | O_NONBLOCK),
	    ready = open(INSIDE_FIFOS "/" INSIDE_FIFO_READY,
			 O_WRONLY | O_NONBLOCK | O_CLOEXEC);

	if (env > ENV_FD) {
		dup2(env, ENV_FD);
		close(env);
	}
	if (ready < 0)
		return;
	file_write_all(ready, "", 1);
	said.fd = ready;
	while (poll(&said, 1, -1) < 0 && errno == EINTR)
		;
	close(ready);
}

int inside_env(const char *tier)
{
	_buf_ struct buf text = {0};
	struct strv env = {0};
	int rc = file_read_fd(ENV_FD, ENV_MAX, &text);

	if (rc == 0 && !text.len)
		errno = ENODATA;
	if (rc < 0 || !text.len) {
		fprintf(stderr,
			"afw: sandbox %s: no environment was received: %s\n",
			tier, strerror(errno));
		return -1;
	}
	close(ENV_FD);
	for (size_t at = 0; at < text.len; at += strlen(text.data + at) + 1)
		strv_add(&env, text.data + at);
	environ = env.v;
	return 0;
}

/* On the user's network it would have the user's abstract sockets, such as
 * those of X servers and D-Bus. Before Linux 6.12 nothing can hide them. */
static int hide_abstract_sockets(struct err *err)
{
	/* linux/landlock.h of 6.12 */
	const struct {
		uint64_t fs, net, scoped;
	} rules = {.scoped = 1};
	_close_ int fd =
	    (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);

	if (fd < 0 && (errno == E2BIG || errno == EINVAL || errno == ENOSYS ||
		       errno == EOPNOTSUPP))
		return 0;
	if (fd < 0 || syscall(SYS_landlock_restrict_self, fd, 0) < 0)
		return err_errno(err, "hide abstract sockets");
	return 0;
}

int inside_run(bool host_network, char *const *argv)
{
	struct err err = {0};
	int status = 0;

	open_fifos();
	/* If it is a socket: the sandbox is ready (sandbox.h, holds). */
	send(ENV_FD, "", 1, MSG_NOSIGNAL);
	if (inside_env("podman") < 0)
		return 126;
	if ((host_network && hide_abstract_sockets(&err) < 0) ||
	    calls_deny(true, &err) < 0) {
		fprintf(stderr, "afw: sandbox podman: %s\n", err.what);
		return 126;
	}
	/* The harness's parent is the container's init, and its end is the
	 * container's end; the parent of a command beside it is outside. */
	if (getppid() == 0 && stay_above(&status) > 0)
		return WIFEXITED(status) ? WEXITSTATUS(status)
					 : 128 + WTERMSIG(status);
	spawn_exec(argv);
	fprintf(stderr, "afw: sandbox podman: run %s: %s\n", argv[0],
		strerror(errno));
	return errno == ENOENT ? 127 : 126;
}
