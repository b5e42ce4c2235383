/*
 * pty.c - a pseudo-terminal of the supervisor's own.
 *
 * The child reports a failed exec over a close-on-exec pipe, so that a
 * harness that does not exist fails with the real reason. Everything above
 * descriptor 2 is closed before it runs.
 */
#include "terminal/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/spawn.h"

struct terminal {
	int master;
};

static _Noreturn void child(const struct terminal_start *st, int report,
			    pid_t parent)
{
	int keep[] = {report, 0}, why;
	sigset_t none;

	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	file_set_cloexec(report, true);
	spawn_close_others(keep);
	/* Without its supervisor nobody can reach it: it gets HUP as its
	 * terminal goes, and TERM where it ignores that. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(126);
	if (chdir(st->dir) == 0) {
		environ = (char **)st->envp;
		execvp(st->argv[0], st->argv);
	}
	why = errno;
	if (file_write_all(report, &why, sizeof why) < 0)
		_exit(126);
	_exit(127);
}

static struct terminal *start(const struct terminal_start *st, pid_t *pid,
			      struct err *err)
{
	struct winsize ws = {.ws_col = (unsigned short)st->cols,
			     .ws_row = (unsigned short)st->rows};
	struct terminal *t;
	int report[2], master, why = 0;
	pid_t parent = getpid();
	ssize_t n;

	if (pipe2(report, O_CLOEXEC) < 0) {
		err_errno(err, "make a pipe");
		return NULL;
	}
	*pid = forkpty(&master, NULL, NULL, &ws);
	if (*pid == 0)
		child(st, report[1], parent);
	close(report[1]);
	if (*pid < 0) {
		close(report[0]);
		err_errno(err, "make a terminal");
		return NULL;
	}
	do
		n = read(report[0], &why, sizeof why);
	while (n < 0 && errno == EINTR);
	close(report[0]);
	if (n == sizeof why) {
		close(master);
		while (waitpid(*pid, NULL, 0) < 0 && errno == EINTR)
			;
		errno = why;
		err_errno(err, "run %s in %s", st->argv[0], st->dir);
		return NULL;
	}
	file_set_cloexec(master, true);
	file_set_nonblock(master);
	t = mem_alloc(sizeof *t);
	t->master = master;
	return t;
}

static void destroy(struct terminal *t)
{
	if (!t)
		return;
	close(t->master);
	free(t);
}

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
};
