/* own_terminal.c - a pty for a command, copied to the user's terminal. */
#include "commands/cli/own_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "screen/screen.h"

/* no more is read while this much is queued */
#define QUEUE_MAX ((size_t)64 * 1024)
#define TYPED_MS  1000
#define STUCK_MS  2000

static struct termios abort_saved;

static void restore_on_abort(void)
{
	tcsetattr(STDIN_FILENO, TCSANOW, &abort_saved);
}

/* -- opening and closing --------------------------------------------------- */

static struct winsize size_of(int tty)
{
	struct winsize ws;

	if (ioctl(tty, TIOCGWINSZ, &ws) < 0 || !ws.ws_col || !ws.ws_row)
		ws = (struct winsize){.ws_col = 80, .ws_row = 24};
	return ws;
}

/* Opens the user's terminal again, so that O_NONBLOCK does not affect the
 * user's shell; it cannot be opened if it belongs to another user. */
static int open_user(int fd)
{
	const char *name = ttyname(fd);
	int tty =
	    name ? open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) : -1;

	return tty < 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : tty;
}

/*
 * Only the user's terminal knows where its cursor is. It is not asked: its
 * answer could come when the command already reads the keys. The model's cursor
 * is put in the last row instead. That shows only in the answer to a command
 * that asks where it is: it learns that there is no room below and scrolls,
 * which is right in any row. In a higher row it would overwrite what is there.
 */
static void open_filter(struct own_terminal *t, const struct winsize *ws,
			const char *clipboard)
{
	char at[16];

	filter_open(&t->filter, ws->ws_col, ws->ws_row, clipboard);
	snprintf(at, sizeof at, "\033[%dH", ws->ws_row);
	screen_feed(t->filter.screen, at, strlen(at));
	buf_clear(&t->filter.out);
	t->filter.styled = false;
}

int own_terminal_open(struct own_terminal *t, struct spawn *sp,
		      const char *clipboard, struct err *err)
{
	bool in = isatty(0), out = isatty(1), whole = in && out;
	struct winsize ws;

	*t = (struct own_terminal){.master = -1, .slave = -1, .user = -1};
	sp->new_session = true;
	if (in)
		sp->fd[0] = -1;
	if (!out && !isatty(2))
		return 0;
	t->user = open_user(out ? 1 : 2);
	ws = size_of(t->user);
	if (whole)
		tcgetattr(0, &t->saved);
	if (openpty(&t->master, &t->slave, NULL, whole ? &t->saved : NULL,
		    &ws) < 0) {
		file_reset(&t->user);
		return err_errno(err, "make a terminal");
	}
	file_set_cloexec(t->master, true);
	file_set_cloexec(t->slave, true);
	file_set_nonblock(t->master);
	for (int i = whole ? 0 : 1; i < 3; i++)
		if (isatty(i))
			sp->fd[i] = t->slave;
	if (whole)
		sp->terminal = t->slave;
	/* A background job would be stopped by the shell for reading keys. */
	t->keys = whole && (tcgetpgrp(0) < 0 || tcgetpgrp(0) == getpgrp());
	open_filter(t, &ws, clipboard);
	return 0;
}

void own_terminal_begin(struct own_terminal *t, struct foreground *f)
{
	struct termios raw = t->saved;

	if (t->master < 0)
		return;
	foreground_catch(f, SIGWINCH);
	own_terminal_resize(t); /* the size may have changed before */
	if (!t->keys)
		return;
	/* If we were stopped, the shell would find the terminal in raw mode. */
	foreground_catch(f, SIGTSTP);
	abort_saved = t->saved;
	mem_on_abort(restore_on_abort);
	cfmakeraw(&raw);
	tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

void own_terminal_resize(struct own_terminal *t)
{
	struct winsize ws = size_of(t->user);

	ioctl(t->master, TIOCSWINSZ, &ws);
	screen_resize(t->filter.screen, ws.ws_col, ws.ws_row);
}

/* -- copying --------------------------------------------------------------- */

void own_terminal_watch(const struct own_terminal *t,
			struct pollfd p[OWN_TERMINAL_FDS])
{
	short master = (short)((t->filter.out.len < QUEUE_MAX ? POLLIN : 0) |
			       (t->filter.replies.len ? POLLOUT : 0));

	p[0] = (struct pollfd){
	    .fd = t->keys && t->filter.replies.len < QUEUE_MAX ? STDIN_FILENO
							       : -1,
	    .events = POLLIN};
	p[1] = (struct pollfd){.fd = t->user,
			       .events = t->filter.out.len ? POLLOUT : 0};
	/* With no events an fd is left out: poll(2) would report its hangup
	 * each time. */
	p[2] = (struct pollfd){.fd = master ? t->master : -1, .events = master};
}

/* Writes as much as fd accepts. */
static bool flush(int fd, struct buf *data)
{
	ssize_t n = data->len ? write(fd, data->data, data->len) : 0;

	if (n > 0)
		buf_drop(data, (size_t)n);
	return n >= 0 || errno == EAGAIN || errno == EINTR;
}

bool own_terminal_copy(struct own_terminal *t,
		       const struct pollfd p[OWN_TERMINAL_FDS])
{
	char chunk[16384];
	ssize_t n;

	if (p[1].revents & ~POLLOUT)
		return false;
	if (p[0].revents) {
		n = read(STDIN_FILENO, chunk, sizeof chunk);
		if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
			return false;
		if (n > 0)
			buf_add(&t->filter.replies, chunk, (size_t)n);
		t->typed_at = clock_mono_ms();
	}
	if (p[2].revents & POLLIN) {
		n = read(t->master, chunk, sizeof chunk);
		/* A user who types there can see what sets the clipboard. */
		t->filter.focused =
		    t->typed_at && clock_mono_ms() - t->typed_at < TYPED_MS;
		if (n > 0)
			filter_feed(&t->filter, chunk, (size_t)n);
	} else if (p[2].revents & POLLHUP) {
		file_reset(&t->master);
	}
	if (t->master >= 0)
		flush(t->master, &t->filter.replies);
	return flush(t->user, &t->filter.out);
}

void own_terminal_close(struct own_terminal *t)
{
	struct pollfd p[OWN_TERMINAL_FDS];
	bool raw = t->keys;

	t->keys = false;
	buf_clear(&t->filter.replies);
	/* From here on the end of the output is seen, after everything was
	 * printed. */
	file_reset(&t->slave);
	do
		own_terminal_watch(t, p);
	while ((t->master >= 0 || t->filter.out.len) &&
	       poll(p, OWN_TERMINAL_FDS, STUCK_MS) > 0 &&
	       own_terminal_copy(t, p));
	filter_end(&t->filter);
	flush(t->user, &t->filter.out);
	if (raw)
		tcsetattr(STDIN_FILENO, TCSANOW, &t->saved);
	mem_on_abort(NULL);
	file_close(t->master);
	file_close(t->user);
	filter_finish(&t->filter);
}
