/*
 * backend_fds.c - what a harness finds in the descriptors that it is given.
 *
 *	backend_fds BACKEND RUN-PREFIX STATE-DIR CMD ARGS
 *		Runs CMD on BACKEND with two pipes, which say "one" and "two",
 *		as 3 and 4; copies what it prints, until it has ended.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/loop.h"
#include "terminal/terminal.h"

extern char **environ;

static bool ended;

static void on_exited(void *ctx, int wait_status)
{
	ended = true;
}

static void on_lost(void *ctx, const char *why)
{
	fprintf(stderr, "lost: %s\n", why);
	exit(1);
}

static int says(const char *text)
{
	int p[2];

	if (pipe2(p, O_CLOEXEC) < 0 || write(p[1], text, 4) != 4)
		exit(2);
	close(p[1]);
	return p[0];
}

int main(int argc, char **argv)
{
	const struct terminal_backend *b =
	    argc > 4 ? terminal_find(argv[1]) : NULL;
	/* Not in their order, and 3 and 4 themselves are among them. */
	int two = says("two\n"), one = says("one\n"), fds[] = {one, two, 0};
	struct terminal_start st = {
	    .cols = 80,
	    .rows = 24,
	    .envp = environ,
	    .dir = "/",
	    .dir_fd = open("/", O_PATH | O_CLOEXEC),
	    .fds = fds,
	    .id = "00000000000000000000000000000000",
	    .events = {.exited = on_exited, .lost = on_lost}};
	struct terminal *t;
	struct err err = {0};
	char text[4096];
	ssize_t n;
	pid_t pid;

	if (!b)
		return 2;
	st.run = argv[2];
	st.state = argv[3];
	st.argv = argv + 4;
	st.loop = loop_create();
	t = b->start(&st, &pid, &err);
	if (!t) {
		fprintf(stderr, "%s\n", err.what);
		return 1;
	}
	for (;;) {
		struct pollfd p = {.fd = b->fd(t), .events = POLLIN};

		loop_once(st.loop, 0);
		if (poll(&p, 1, 50) == 0 && ended)
			break;
		n = p.revents ? b->read(t, text, sizeof text) : -1;
		if (n == 0)
			break;
		if (n > 0)
			fwrite(text, 1, (size_t)n, stdout);
	}
	b->destroy(t);
	loop_destroy(st.loop);
	return 0;
}
