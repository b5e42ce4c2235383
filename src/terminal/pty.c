/* pty.c - backend pty: a pseudo-terminal of the supervisor, with a guard. */
#include "terminal/pty.h"

#include <errno.h>
#include <pty.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "terminal/guarded.h"

struct terminal {
	struct guarded guarded; /* first: guarded.h */
	int master;
};

/* -- start and end --------------------------------------------------------- */

static void destroy(struct terminal *t)
{
	if (!t)
		return;
	guarded_finish(&t->guarded);
	close(t->master);
	free(t);
}

static struct terminal *start(const struct terminal_start *st, pid_t *pid,
			      struct err *err)
{
	struct winsize ws = {.ws_col = (unsigned short)st->cols,
			     .ws_row = (unsigned short)st->rows};
	struct terminal *t;
	int master, slave, rc;

	if (openpty(&master, &slave, NULL, NULL, &ws) < 0) {
		err_errno(err, "make a terminal");
		return NULL;
	}
	file_set_cloexec(master, true);
	file_set_nonblock(master);
	t = mem_alloc(sizeof *t);
	t->master = master;
	rc = guarded_start(&t->guarded, st, (int[]){slave, slave, slave}, true,
			   pid, err);
	close(slave);
	if (rc == 0)
		return t;
	close(master);
	free(t);
	return NULL;
}

/* -- the terminal -------------------------------------------------------------
 */

static int get_fd(const struct terminal *t)
{
	return t->master;
}

static ssize_t read_some(struct terminal *t, char *data, size_t len)
{
	ssize_t n = read(t->master, data, len);

	/* EIO: the last process that had the terminal open has ended. */
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
    .helpers = guarded_helpers,
    .kill = guarded_kill,
    .reaped = guarded_reaped,
    .end = guarded_end,
};
