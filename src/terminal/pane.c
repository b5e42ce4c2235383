/*
 * pane.c - the process between a tmux server and a harness.
 *
 * tmux makes it the leader of the terminal's session. It gives up the terminal,
 * so that the harness can be the leader, and becomes its guard
 * (terminal/guard.h), which keeps the pane open until the supervisor has read
 * everything.
 */
#include "terminal/pane.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "terminal/guard.h"
#include "terminal/tmux_pane.h"
#include "wire/sock.h"

#define START_MS 20000

struct request {
	char *text;
	size_t len;
	char **all; /* the strings of argv and envp */
	/* the directory, then the harness's; 0 ends */
	int fds[SOCK_FDS_MAX + 1];
	char **argv, **envp;
};

/* Connects to the supervisor that started tmux. */
static int connect_to(const char *path)
{
	int fd = sock_connect(path);

	if (fd >= 0)
		fcntl(fd, F_SETFL, 0); /* we wait for it */
	return fd;
}

int pane_pipe(const char *socket_path)
{
	const char letter = TMUX_PANE_PIPE;
	int fd = connect_to(socket_path);

	return fd >= 0 && sock_send_fd(fd, &letter, 1, STDIN_FILENO) == 1 ? 0
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
	if (strings < 2 || rq->text[len - 1] != '\0')
		return -1;
	rq->all = all = mem_alloc((strings + 2) * sizeof *all);
	for (p = rq->text; p < rq->text + len; p += strlen(p) + 1)
		all[at++] = p;
	n = (size_t)strtoul(all[0], NULL, 10);
	if (n < 1 || n > strings - 1)
		return -1;
	/* One NULL between arguments and environment. */
	rq->argv = all + 1;
	rq->envp = all + 2 + n;
	memmove(rq->envp, all + 1 + n, (strings - 1 - n) * sizeof *all);
	all[1 + n] = NULL;
	all[strings + 1] = NULL;
	return 0;
}

static int read_request(int fd, struct request *rq)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	uint32_t len = 0;

	/* The length is sent with the descriptors. */
	if (poll(&p, 1, START_MS) <= 0 ||
	    sock_receive_fds(fd, &len, sizeof len, rq->fds) != sizeof len ||
	    !rq->fds[0] || len == 0 || len > TMUX_PANE_START_MAX)
		return -1;
	rq->text = mem_alloc(len);
	rq->len = len;
	return read_all(fd, rq->text, len) ? split(rq) : -1;
}

int pane_run(const char *socket_path)
{
	const char letter = TMUX_PANE_TTY;
	int sock = connect_to(socket_path), signals, code;
	struct guard_start st = {.holds_terminal = true};
	struct request rq = {0};

	if (sock < 0)
		return 1;
	signals = guard_init();
	if (signals < 0 || sock_send_fd(sock, &letter, 1, STDIN_FILENO) != 1 ||
	    read_request(sock, &rq) < 0)
		return 1;
	/* The HUP that this causes is ignored already. */
	ioctl(STDIN_FILENO, TIOCNOTTY);
	st.dir = rq.fds[0];
	st.fds = rq.fds + 1;
	st.argv = rq.argv;
	st.envp = rq.envp;
	code = guard_run(&st, sock, signals);
	free(rq.text);
	free(rq.all);
	return code;
}
