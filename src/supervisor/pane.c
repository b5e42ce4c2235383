/*
 * pane.c - the process between a tmux server and a harness.
 *
 * tmux made it the leader of the terminal's session. It gives the terminal
 * away, so that the harness can be what it is on a terminal of its own: the
 * leader, with the terminal as its controlling one; Ctrl-Z and hang-ups work
 * as there. It stays as the harness's parent to tell the supervisor how that
 * ended, and holds the pane until the supervisor has read everything.
 *
 * Should the supervisor be killed, it ends what is below it: no other would.
 */
#include "supervisor/pane.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/tree.h"
#include "terminal/tmux_pane.h"
#include "wire/fdpass.h"

#define GRACE_MS      1000 /* between TERM and KILL, without a supervisor */
#define END_MS	      5000
#define KILL_AGAIN_MS 50
#define START_MS      20000

struct request {
	char *text;
	size_t len;
	char **all; /* what argv and envp point into */
	const char *dir;
	char **argv, **envp;
};

static int connect_to(const char *path)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || strlen(path) >= sizeof addr.sun_path)
		return -1;
	memcpy(addr.sun_path, path, strlen(path) + 1);
	if (connect(fd, (struct sockaddr *)&addr, sizeof addr) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

int pane_pipe(const char *socket_path)
{
	const char letter = TMUX_PANE_PIPE;
	int fd = connect_to(socket_path);

	return fd >= 0 && fdpass_send(fd, &letter, 1, STDIN_FILENO) == 1 ? 0
									 : 1;
}

/* -- what to start -----------------------------------------------------------
 */

static bool read_all(int fd, void *to, size_t len)
{
	int64_t by = clock_mono_ms() + START_MS;
	char *at = to;

	while (len > 0) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		int64_t left = by - clock_mono_ms();
		ssize_t n;

		if (left <= 0)
			return false;
		if (poll(&p, 1, (int)left) <= 0)
			continue;
		n = read(fd, at, len);
		if (n == 0 || (n < 0 && errno != EINTR))
			return false;
		if (n > 0) {
			at += n;
			len -= (size_t)n;
		}
	}
	return true;
}

static int split(struct request *rq)
{
	size_t len = rq->len, strings = 0, n, at = 0;
	char **all, *p;

	for (size_t i = 0; i < len; i++)
		strings += rq->text[i] == '\0';
	if (strings < 3 || rq->text[len - 1] != '\0')
		return -1;
	rq->all = all = mem_alloc((strings + 2) * sizeof *all);
	for (p = rq->text; p < rq->text + len; p += strlen(p) + 1)
		all[at++] = p;
	rq->dir = all[0];
	n = (size_t)strtoul(all[1], NULL, 10);
	if (n < 1 || n > strings - 2)
		return -1;
	/* One NULL between arguments and environment. */
	rq->argv = all + 2;
	rq->envp = all + 3 + n;
	memmove(rq->envp, all + 2 + n, (strings - 2 - n) * sizeof *all);
	all[2 + n] = NULL;
	all[strings + 1] = NULL;
	return 0;
}

static int read_request(int fd, struct request *rq)
{
	uint32_t len;

	if (!read_all(fd, &len, sizeof len) || len == 0 ||
	    len > TMUX_PANE_START_MAX)
		return -1;
	rq->text = mem_alloc(len);
	rq->len = len;
	return read_all(fd, rq->text, len) ? split(rq) : -1;
}

/* -- starting it
 * --------------------------------------------------------------- */

static _Noreturn void child(const struct request *rq, int report, pid_t parent)
{
	int keep[] = {report, 0}, why;
	sigset_t none;

	setsid();
	if (ioctl(STDIN_FILENO, TIOCSCTTY, 0) < 0)
		goto fail;
	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	spawn_close_others(keep);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(126);
	if (chdir(rq->dir) == 0) {
		environ = rq->envp;
		execvp(rq->argv[0], rq->argv);
	}
fail:
	why = errno;
	if (file_write_all(report, &why, sizeof why) < 0)
		_exit(126);
	_exit(127);
}

static void tell(int fd, int event, int value)
{
	struct tmux_pane_report r = {.event = event, .value = value};

	send(fd, &r, sizeof r, MSG_NOSIGNAL);
}

static pid_t start(const struct request *rq, int sock)
{
	pid_t parent = getpid(), pid;
	int report[2], why = 0;
	ssize_t n;

	/* The HUP that comes with this is ignored by now. */
	ioctl(STDIN_FILENO, TIOCNOTTY);
	if (pipe2(report, O_CLOEXEC) < 0) {
		tell(sock, TMUX_PANE_FAILED, errno);
		return -1;
	}
	pid = fork();
	if (pid == 0)
		child(rq, report[1], parent);
	close(report[1]);
	if (pid < 0)
		why = errno;
	do
		n = read(report[0], &why, sizeof why);
	while (n < 0 && errno == EINTR);
	close(report[0]);
	if (pid < 0 || n == sizeof why) {
		tell(sock, TMUX_PANE_FAILED, why);
		return -1;
	}
	tell(sock, TMUX_PANE_STARTED, pid);
	return pid;
}

/* -- waiting for its end
 * -------------------------------------------------------- */

static void reap(pid_t pid, int sock)
{
	int status;
	pid_t got;

	while ((got = waitpid(-1, &status, WNOHANG)) > 0)
		if (got == pid)
			tell(sock, TMUX_PANE_EXITED, status);
}

static void wait_for_end(pid_t pid, int sock, int signals)
{
	struct pollfd p[2] = {{.fd = sock, .events = POLLIN},
			      {.fd = signals, .events = POLLIN}};
	struct signalfd_siginfo si;

	reap(pid, sock);
	for (;;) {
		if (poll(p, 2, -1) < 0 && errno != EINTR)
			return;
		if (p[1].revents) {
			while (read(signals, &si, sizeof si) == sizeof si)
				continue;
			reap(pid, sock);
		}
		/* Nothing is ever sent to us: this is its end. */
		if (p[0].revents)
			return;
	}
}

static void end_tree(void)
{
	int64_t from = clock_mono_ms(), now = from;
	int signo = SIGTERM;

	tree_kill(getpid(), NULL, SIGCONT);
	while (tree_kill(getpid(), NULL, signo) > 0 && now < from + END_MS) {
		poll(NULL, 0, KILL_AGAIN_MS);
		while (waitpid(-1, NULL, WNOHANG) > 0)
			continue;
		now = clock_mono_ms();
		signo = now < from + GRACE_MS ? 0 : SIGKILL;
	}
}

int pane_run(const char *socket_path)
{
	const char letter = TMUX_PANE_TTY;
	int sock = connect_to(socket_path), signals;
	struct request rq = {0};
	sigset_t set;
	pid_t pid;

	if (sock < 0)
		return 1;
	/* What ends us is the socket. */
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (signals < 0 || fdpass_send(sock, &letter, 1, STDIN_FILENO) != 1 ||
	    read_request(sock, &rq) < 0)
		return 1;
	pid = start(&rq, sock);
	/* Secrets are the harness's only. */
	explicit_bzero(rq.text, rq.len);
	free(rq.text);
	free(rq.all);
	if (pid < 0)
		return 1;
	wait_for_end(pid, sock, signals);
	end_tree();
	return 0;
}
