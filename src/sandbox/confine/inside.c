/*
 * inside.c - `afw-supervisor inside`: the first program in a container. It
 * reads the environment from a pipe, so that nothing outside stores or uses it,
 * blocks system calls and becomes the command.
 */
#include "sandbox/confine/inside.h"

#include <asm/unistd.h>
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
#include <sys/stat.h>
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
#define TERM_MS 2000 /* between SIGTERM and SIGKILL */

extern char **environ;

static const int signals[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, 0};

static void set_signals(void (*how)(int))
{
	for (const int *signo = signals; *signo; signo++)
		signal(*signo, how);
}

static void on_child(int signo)
{
}

/* Waits until pid or, if that is not -1, all writers of the FIFO have ended:
 * then it ends pid. mask: without SIGCHLD. */
static void wait_for(pid_t pid, int fifo, const sigset_t *mask, int *status)
{
	const struct timespec grace = {.tv_sec = TERM_MS / 1000};
	struct pollfd writers = {.fd = fifo};
	bool hung_up = false;
	pid_t ended;

	while ((ended = waitpid(-1, status, WNOHANG)) != pid && ended >= 0) {
		if (ended > 0)
			continue;
		if (ppoll(&writers, 1, hung_up ? &grace : NULL, mask) == 0)
			return;
		if (!hung_up && (writers.revents & POLLHUP)) {
			tree_kill(getpid(), NULL, SIGTERM);
			hung_up = true;
			writers.fd = -1;
		}
	}
}

/*
 * Forks, so that signals to the whole tree reach the processes below us:
 * otherwise they would become the container's, out of reach. Returns 0 in the
 * child. fifo: of the environment, or -1.
 */
static pid_t stay_above(int fifo, int *status)
{
	sigset_t child, mask;
	pid_t pid;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	set_signals(SIG_IGN);
	signal(SIGCHLD, on_child);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &mask);
	pid = fork();
	if (pid == 0) {
		set_signals(SIG_DFL);
		signal(SIGCHLD, SIG_DFL);
		sigprocmask(SIG_SETMASK, &mask, NULL);
	}
	if (pid <= 0)
		return pid;
	wait_for(pid, fifo, &mask, status);
	/* All that have ended, before the tree is read again: it may be large.
	 */
	while (tree_kill_all(getpid(), NULL) > 0 || waitpid(-1, NULL, 0) > 0)
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	return pid;
}

/* Opens the FIFO of the environment as descriptor 3, if there is one. Returns
 * another descriptor of it for a command beside the agent, else -1. */
static int open_env(const char *of)
{
	_free_ char *path =
	    mem_printf(INSIDE_FIFOS "/%s", of ? of : INSIDE_FIFO_ENV);
	int env = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (env == ENV_FD)
		env = fcntl(env, F_DUPFD_CLOEXEC, ENV_FD + 1);
	if (env < 0)
		return -1;
	dup2(env, ENV_FD);
	if (of)
		return env;
	close(env);
	return -1;
}

/* Reports that the container is ready, and waits until the reader has closed
 * that FIFO. */
static void report_ready(void)
{
	struct pollfd said = {0};
	int ready = open(INSIDE_FIFOS "/" INSIDE_FIFO_READY,
			 O_WRONLY | O_NONBLOCK | O_CLOEXEC);

	if (ready < 0)
		return;
	file_write_all(ready, "", 1);
	said.fd = ready;
	while (poll(&said, 1, -1) < 0 && errno == EINTR)
		;
	close(ready);
}

/* Returns whether text ends with an empty string. */
static bool is_whole(const struct buf *text)
{
	return text->len && !text->data[text->len - 1] &&
	       (text->len == 1 || !text->data[text->len - 2]);
}

/* The other end of a FIFO stays open, so the text says where it ends. That of a
 * socket is closed when the command may continue (sandbox.h, holds). */
static int read_env(struct buf *text)
{
	const size_t room = 16384;
	struct stat st = {0};
	ssize_t n = 1;

	fstat(ENV_FD, &st);
	while (n != 0 && !(S_ISFIFO(st.st_mode) && is_whole(text))) {
		n = text->len < ENV_MAX
			? read(ENV_FD, buf_room(text, room), room)
			: 0;
		if (n < 0 && errno != EINTR)
			return -1;
		text->len += n > 0 ? (size_t)n : 0;
	}
	errno = ENODATA;
	return is_whole(text) ? 0 : -1;
}

int inside_env(const char *tier)
{
	_buf_ struct buf text = {0};
	struct strv env = {0};

	if (read_env(&text) < 0) {
		fprintf(stderr,
			"afw: sandbox %s: no environment was received: %s\n",
			tier, strerror(errno));
		return -1;
	}
	close(ENV_FD);
	for (size_t at = 0; text.data[at]; at += strlen(text.data + at) + 1)
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
	    (int)syscall(__NR_landlock_create_ruleset, &rules, sizeof rules, 0);

	if (fd < 0 && (errno == E2BIG || errno == EINVAL || errno == ENOSYS ||
		       errno == EOPNOTSUPP))
		return 0;
	if (fd < 0 || syscall(__NR_landlock_restrict_self, fd, 0) < 0)
		return err_errno(err, "hide abstract sockets");
	return 0;
}

int inside_run(bool host_network, char *const *argv)
{
	const char *of = getenv(INSIDE_FIFO_OF);
	int status = 0, fifo = open_env(of);
	struct err err = {0};

	if (!of)
		report_ready();
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
	if (getppid() == 0 && stay_above(fifo, &status) > 0)
		return WIFEXITED(status) ? WEXITSTATUS(status)
					 : 128 + WTERMSIG(status);
	spawn_exec(argv);
	fprintf(stderr, "afw: sandbox podman: run %s: %s\n", argv[0],
		strerror(errno));
	return errno == ENOENT ? 127 : 126;
}
