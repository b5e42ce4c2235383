/*
 * guard.c - the process between a supervisor and a harness.
 *
 * The harness runs as on its own terminal: it is the leader of a session, with
 * the terminal as its controlling one; Ctrl-Z and hang-ups work.
 */
#include "terminal/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/made_dir.h"
#include "base/spawn.h"
#include "base/tree.h"

#define GRACE_MS 1000 /* between TERM and KILL, without a supervisor */
#define KILLS	 200  /* rounds of TREE_KILL_ALL_MS, without a supervisor */
#define POLL_MS	 20
#define READ_MS	 2000 /* for tmux to read the last output */
#define REAP_MAX 64

/* -- starting it ----------------------------------------------------------- */

/* Makes its descriptors 3, 4 …: moves ours to other numbers first. */
static int place_fds(const int *fds, int *report, int *dir)
{
	int high[GUARD_FDS + 2] = {*report, *dir}, keep[GUARD_FDS + 3] = {0},
			     n = 2;

	for (; n < GUARD_FDS + 2 && fds && fds[n - 2]; n++)
		high[n] = fds[n - 2];
	for (int i = 0; i < n; i++)
		if ((high[i] = fcntl(high[i], F_DUPFD_CLOEXEC, 3 + GUARD_FDS)) <
		    0)
			return -1;
	for (int i = 0; i < n; i++)
		keep[i] = i < 2 ? high[i] : dup2(high[i], 1 + i);
	*report = high[0];
	*dir = high[1];
	spawn_close_others(keep);
	return 0;
}

static _Noreturn void child(const struct guard_start *st, int report,
			    pid_t parent)
{
	int dir = st->dir, why;
	sigset_t none;

	setsid();
	if (!st->no_terminal && ioctl(STDIN_FILENO, TIOCSCTTY, 0) < 0)
		goto fail;
	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (place_fds(st->fds, &report, &dir) < 0)
		goto fail;
	/* If this process is killed, no other process would end the harness. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(126);
	if (made_dir_enter(dir) == 0) {
		environ = (char **)st->envp;
		spawn_exec(st->argv);
	}
fail:
	why = errno;
	if (file_write_all(report, &why, sizeof why) < 0)
		_exit(126);
	_exit(127);
}

static void send_report(int fd, int event, int value)
{
	struct guard_report r = {.event = event, .value = value};

	send(fd, &r, sizeof r, MSG_NOSIGNAL);
}

static pid_t start(const struct guard_start *st, int sock)
{
	pid_t parent = getpid(), pid;
	int report[2], why = 0;
	ssize_t n;

	if (pipe2(report, O_CLOEXEC) < 0) {
		send_report(sock, GUARD_FAILED, errno);
		return -1;
	}
	pid = fork();
	if (pid == 0)
		child(st, report[1], parent);
	close(report[1]);
	if (pid < 0)
		why = errno;
	do
		n = read(report[0], &why, sizeof why);
	while (n < 0 && errno == EINTR);
	close(report[0]);
	if (pid < 0 || n == sizeof why) {
		send_report(sock, GUARD_FAILED, why);
		return -1;
	}
	send_report(sock, GUARD_STARTED, pid);
	return pid;
}

/* -- waiting for its end -------------------------------------------------- */

/* Bounded: some trees exit as fast as they are reaped. */
enum reaped { ALL_REAPED, MORE_TO_REAP, NO_CHILD };

static enum reaped reap(pid_t pid, int sock)
{
	pid_t got = 1;
	int status;

	for (int i = 0; i < REAP_MAX && got > 0; i++) {
		got = waitpid(-1, &status, WNOHANG);
		if (got == pid)
			send_report(sock, GUARD_EXITED, status);
	}
	if (got < 0 && errno == ECHILD)
		return NO_CHILD;
	return got > 0 ? MORE_TO_REAP : ALL_REAPED;
}

/* Kills the tree for a while. This process is the fastest: orphans become its
 * children. */
static enum reaped kill_tree(pid_t pid, int sock)
{
	int64_t end = clock_mono_ms() + TREE_KILL_ALL_MS;
	enum reaped r;

	do
		tree_kill(getpid(), NULL, SIGKILL);
	while ((r = reap(pid, sock)) != NO_CHILD && clock_mono_ms() < end);
	return r;
}

static void wait_for_end(pid_t pid, int sock, int signals)
{
	struct pollfd p[2] = {{.fd = sock, .events = POLLIN},
			      {.fd = signals, .events = POLLIN}};
	struct signalfd_siginfo si;
	bool alone = false;
	char kill_now;
	ssize_t n;

	for (;;) {
		enum reaped r = reap(pid, sock);

		if (r == NO_CHILD && !alone)
			send_report(sock, GUARD_ALONE, 0);
		alone = r == NO_CHILD;
		if (poll(p, 2, r == MORE_TO_REAP ? 0 : -1) < 0 &&
		    errno != EINTR)
			return;
		if (p[1].revents && read(signals, &si, sizeof si) < 0 &&
		    errno != EAGAIN)
			return;
		if (!p[0].revents)
			continue;
		while ((n = recv(sock, &kill_now, 1, MSG_DONTWAIT)) > 0)
			continue;
		if (n == 0 || errno != EAGAIN)
			return; /* the supervisor's end */
		kill_tree(pid, sock);
	}
}

/* Ends the tree: until the kernel reports that this subreaper has no child
 * left. */
static void end_tree(pid_t pid, int sock)
{
	int64_t kill_at = clock_mono_ms() + GRACE_MS;

	if (reap(pid, sock) == NO_CHILD)
		return;
	tree_kill(getpid(), NULL, SIGCONT);
	tree_kill(getpid(), NULL, SIGTERM);
	while (reap(pid, sock) != NO_CHILD && clock_mono_ms() < kill_at)
		poll(NULL, 0, POLL_MS);
	for (int i = 0; i < KILLS && kill_tree(pid, sock) != NO_CHILD; i++)
		poll(NULL, 0, 1);
}

int guard_init(void)
{
	sigset_t set;

	/* Only the socket ends this process. */
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_SETMASK, &set, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	/* As of the supervisor, no process may read its memory. */
	prctl(PR_SET_DUMPABLE, 0);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void drop_terminal(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd <= 2; fd++)
		if (null < 0 || dup2(null, fd) < 0)
			close(fd);
	if (null > 2)
		close(null);
}

/*
 * When its child ends, tmux closes the pane as soon as FIONREAD is 0. Output
 * that the kernel still has would be lost. So tmux first gets an end of file:
 * it reads everything before it, closes the pane and ends; this process waits
 * for that.
 */
static void leave_terminal(pid_t tmux)
{
	drop_terminal();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == tmux)
		poll(NULL, 0, READ_MS);
}

static void wipe(char *const *strings)
{
	for (; *strings; strings++)
		explicit_bzero(*strings, strlen(*strings));
}

int guard_run(const struct guard_start *st, int sock, int signals)
{
	pid_t parent = getppid(), pid = start(st, sock);

	for (const int *fd = st->fds; fd && *fd; fd++)
		close(*fd);
	/* Only the harness keeps the secrets. */
	wipe(st->argv);
	wipe(st->envp);
	if (!st->holds_terminal)
		drop_terminal();
	if (pid < 0)
		return 1;
	wait_for_end(pid, sock, signals);
	end_tree(pid, sock);
	if (st->holds_terminal)
		leave_terminal(parent);
	return 0;
}
