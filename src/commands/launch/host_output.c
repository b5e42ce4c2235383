/*
 * host_output.c - runs ssh with its output filtered.
 *
 * Its input remains the user's terminal: ssh and programs that ask for a
 * passphrase read it themselves, and the terminal's keys signal ssh like any
 * command. So afw cannot answer the output's terminal queries, and filters them
 * out.
 */
#include "commands/launch/host_output.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/file.h"
#include "base/loop.h"
#include "commands/cli/filter.h"
#include "screen/screen.h"

struct stream {
	int in, out; /* the command's output (-1: none); the terminal */
	struct loop_io *io;
	struct filter filter;
};

struct run {
	struct loop *loop;
	pid_t pid;
	int status;
	struct stream streams[2];
};

/* Writes the filtered output; drops replies to queries. */
static void write_filtered(struct stream *s)
{
	file_write_all(s->out, s->filter.out.data, s->filter.out.len);
	buf_clear(&s->filter.out);
	buf_clear(&s->filter.replies);
}

/* Returns what read(2) returns. */
static ssize_t copy_output(struct stream *s)
{
	struct winsize ws;
	char chunk[16384];
	ssize_t n = s->in < 0 ? 0 : read(s->in, chunk, sizeof chunk);

	if (n <= 0)
		return n;
	if (ioctl(s->out, TIOCGWINSZ, &ws) == 0 && ws.ws_col && ws.ws_row)
		screen_resize(s->filter.screen, ws.ws_col, ws.ws_row);
	filter_feed(&s->filter, chunk, (size_t)n);
	write_filtered(s);
	return n;
}

static void on_output(void *ctx, int fd, short revents)
{
	struct stream *s = ctx;

	if (copy_output(s) == 0) {
		loop_io_remove(s->io);
		s->io = NULL;
	}
}

static void on_signal(void *ctx, int signo)
{
	struct run *r = ctx;
	int status;

	if (signo == SIGTERM || signo == SIGHUP)
		kill(r->pid, signo);
	/* The terminal sends SIGINT and SIGQUIT to ssh, too. */
	if (signo != SIGCHLD ||
	    waitpid(r->pid, &status, WNOHANG | WUNTRACED) != r->pid)
		return;
	if (WIFSTOPPED(status)) { /* stopped by ssh's own key */
		raise(SIGSTOP);
		return;
	}
	r->status = status;
	loop_quit(r->loop);
}

static int open_stream(struct stream *s, int *fd, const char *clipboard,
		       struct err *err)
{
	int ends[2];

	*s = (struct stream){.in = -1};
	if (!isatty(*fd))
		return 0;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_errno(err, "make a pipe");
	file_set_nonblock(ends[0]);
	s->in = ends[0];
	s->out = *fd;
	*fd = ends[1];
	filter_open(&s->filter, 80, 24, clipboard);
	s->filter.focused = true;
	return 0;
}

static void close_stream(struct stream *s)
{
	while (copy_output(s) > 0)
		continue;
	filter_end(&s->filter);
	write_filtered(s);
	file_close(s->in);
	filter_finish(&s->filter);
}

static int run(struct run *r, struct spawn *sp, struct err *err)
{
	static const int signals[] = {SIGCHLD, SIGINT, SIGQUIT,
				      SIGTERM, SIGHUP, 0};

	if (loop_signals(r->loop, signals, on_signal, r) < 0)
		return err_errno(err, "wait for signals");
	r->pid = spawn_start(sp, err);
	if (r->pid < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		struct stream *s = &r->streams[i];

		if (s->in < 0)
			continue;
		file_reset(&sp->fd[i + 1]);
		s->io = loop_io_add(r->loop, s->in, POLLIN, on_output, s);
	}
	loop_run(r->loop);
	return WIFSIGNALED(r->status) ? 128 + WTERMSIG(r->status)
				      : WEXITSTATUS(r->status);
}

int host_output_run(struct spawn *sp, const char *clipboard, struct err *err)
{
	struct run r = {.loop = loop_create()};
	struct termios saved;
	bool terminal = tcgetattr(STDIN_FILENO, &saved) == 0;
	sigset_t before;
	int rc = 0;

	sigprocmask(SIG_BLOCK, NULL, &before);
	for (int i = 0; i < 2; i++)
		if (open_stream(&r.streams[i], &sp->fd[i + 1], clipboard, err) <
		    0)
			rc = -1;
	if (rc == 0)
		rc = run(&r, sp, err);
	for (int i = 0; i < 2; i++)
		close_stream(&r.streams[i]);
	loop_destroy(r.loop);
	/* A killed ssh leaves the terminal in raw mode. */
	if (terminal && rc >= 0 && WIFSIGNALED(r.status))
		tcsetattr(STDIN_FILENO, TCSANOW, &saved);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}
