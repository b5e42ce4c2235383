/* bridge_relay.c - `afw-supervisor mcp`: copies bytes without reading them. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "supervisor/door/bridge.h"

#define GREETING_MS 15000
#define CHUNK	    ((size_t)65536)

struct direction {
	int from, to;
	struct buf held; /* at most one read */
	bool ended;	 /* the end of the input was read */
};

static int make_fifo(const char *path, int flags)
{
	if (mkfifo(path, 0600) < 0)
		return -1;
	return open(path, flags | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
}

/* Sends the FIFOs' name to the supervisor, in one write, which no hook's can
 * mix with. */
static bool announce_fifos(const char *door, const char *name)
{
	int fd = open(door, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
	char line[64];
	int len = snprintf(line, sizeof line, "{\"bridge\":\"%s\"}\n", name);
	struct stat st;
	bool told = fd >= 0 && fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) &&
		    st.st_uid == geteuid() &&
		    write(fd, line, (size_t)len) == len;

	file_close(fd);
	return told;
}

/* The first byte says whether a helper will answer; otherwise the rest is the
 * error. */
static bool read_greeting(int fd)
{
	int64_t end = clock_mono_ms() + GREETING_MS;
	struct pollfd p = {.fd = fd, .events = POLLIN};
	char first, why[256];
	ssize_t n;

	if (poll(&p, 1, GREETING_MS) <= 0 || read(fd, &first, 1) != 1) {
		fprintf(stderr, "afw-supervisor: mcp: no tools: %s\n",
			clock_mono_ms() < end ? "its helper ended"
					      : "no answer");
		return false;
	}
	if (first == '+')
		return true;
	n = read(fd, why, sizeof why);
	fprintf(stderr, "afw-supervisor: mcp: no tools: %.*s\n",
		n > 0 ? (int)n : 0, why);
	return false;
}

static void read_some(struct direction *w)
{
	ssize_t n = read(w->from, buf_room(&w->held, CHUNK), CHUNK);

	if (n > 0)
		w->held.len += (size_t)n;
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		w->ended = true;
}

/* Returns false if the reader is gone. */
static bool write_some(struct direction *w)
{
	ssize_t n = write(w->to, w->held.data, w->held.len);

	if (n > 0)
		buf_drop(&w->held, (size_t)n);
	return n > 0 || errno == EAGAIN || errno == EINTR;
}

/* Copies both ways until the helper is gone; a helper ends when its harness
 * does. Each way waits until it can write what it holds, or else until it can
 * read more. */
static void copy_bytes(struct direction ways[2])
{
	struct pollfd p[2];

	while (!ways[1].ended || ways[1].held.len) {
		for (int i = 0; i < 2; i++) {
			struct direction *w = &ways[i];

			p[i] = (struct pollfd){.fd = w->held.len ? w->to
						     : w->ended	 ? -1
								 : w->from,
					       .events = w->held.len ? POLLOUT
								     : POLLIN};
		}
		if (poll(p, 2, -1) < 0 && errno != EINTR)
			return;
		for (int i = 0; i < 2; i++) {
			struct direction *w = &ways[i];

			if (!p[i].revents)
				continue;
			if (!w->held.len)
				read_some(w);
			else if (!write_some(w))
				return;
		}
		/* The harness has closed its side: the helper sees the end of
		 * its input. */
		if (ways[0].ended && !ways[0].held.len)
			file_reset(&ways[0].to);
	}
}

int bridge_relay(void)
{
	char *door = mem_strdup(getenv("AF_DOOR")), *dir, *ask, *answer;
	struct direction ways[2] = {{.from = 0, .to = -1},
				    {.from = -1, .to = 1}};
	char name[BRIDGE_NAME_LEN + 1];
	bool told, fine = false;

	if (!door) {
		fprintf(stderr, "afw-supervisor: mcp: AF_DOOR is not set: it "
				"is started by an agent that afw runs\n");
		return 1;
	}
	signal(SIGPIPE, SIG_IGN);
	random_hex(name, BRIDGE_NAME_LEN);
	dir = mem_strdup(door);
	dir = dirname(dir);
	ask = mem_printf("%s/%s.ask", dir, name);
	answer = mem_printf("%s/%s.answer", dir, name);
	ways[1].from = make_fifo(answer, O_RDONLY);
	/* Opened for reading as well: for writing only, open() would wait for a
	 * reader. */
	ways[0].to = make_fifo(ask, O_RDWR);
	told =
	    ways[0].to >= 0 && ways[1].from >= 0 && announce_fifos(door, name);
	if (!told)
		fprintf(stderr,
			"afw-supervisor: mcp: its session's supervisor is not "
			"there (%s)\n",
			door);
	if (told)
		fine = read_greeting(ways[1].from);
	unlink(ask);
	unlink(answer);
	if (fine)
		copy_bytes(ways);
	for (int i = 0; i < 2; i++)
		buf_finish(&ways[i].held);
	file_close(ways[0].to);
	file_close(ways[1].from);
	free(door);
	free(ask);
	free(answer);
	free(dir);
	return fine ? 0 : 1;
}
