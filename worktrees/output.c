/* output.c - writes JSON lines to the caller, and checks whether to
 * continue. */
#include "worktrees/output.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/utf8.h"
#include "wire/sock.h"
#include "worktrees/limits.h"

#define PROGRESS_MS 100
#define POLL_MS	    100 /* a signal that came just before poll is noticed then */
#define CHUNK	    65536

static volatile sig_atomic_t caught;

static void on_signal(int signo)
{
	caught = signo;
}

void output_catch_signals(void)
{
	struct sigaction sa = {.sa_handler = on_signal};

	sigemptyset(&sa.sa_mask);
	caught = 0;
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	sigaction(SIGQUIT, &sa, NULL);
	sigaction(SIGALRM, &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
}

int output_line(struct output *out, const cJSON *o)
{
	struct buf text = {0};

	if (!out->gone) {
		json_print(o, &text);
		buf_addc(&text, '\n');
		if (file_write_all(out->fd, text.data, text.len) < 0)
			out->gone = true;
		buf_finish(&text);
	}
	return out->gone ? -1 : 0;
}

int output_answer(struct output *out, cJSON *answer)
{
	json_set_bool(answer, "ok", true);
	out->answered = true;
	return output_line(out, answer);
}

/* Returns 1 if there is something to read; 0: not in time; -1: a signal came.
 */
static int wait_input(int64_t timeout_ms)
{
	int64_t end = clock_mono_ms() + timeout_ms, left = POLL_MS;
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	int n;

	do {
		if (caught)
			return -1;
		if (timeout_ms)
			left = end - clock_mono_ms();
		n = poll(&p, 1,
			 left < 0	  ? 0
			 : left < POLL_MS ? (int)left
					  : POLL_MS);
	} while ((n == 0 && left > 0) || (n < 0 && errno == EINTR));
	return n > 0;
}

int output_confirmed(struct output *out, int64_t timeout_ms, struct err *err)
{
	unsigned alarm_s = alarm(0);
	int n = wait_input(timeout_ms), fd = -1;
	char word = 0;

	alarm(alarm_s);
	if (n < 0)
		return output_check(out, err);
	errno = ETIMEDOUT;
	if (n == 0)
		return 0;
	errno = 0;
	if (sock_receive_fd(STDIN_FILENO, &word, 1, &fd) < 0 &&
	    errno == ENOTSOCK && read(STDIN_FILENO, &word, 1) < 0)
		return 0;
	return word == '\n';
}

void output_progress(struct output *out, const char *what, int64_t done,
		     int64_t total)
{
	int64_t now = clock_mono_ms();
	cJSON *o;

	if (now - out->last_progress < PROGRESS_MS)
		return;
	out->last_progress = now;
	o = cJSON_CreateObject();
	json_set_str(o, "progress", what);
	json_set_int(o, "done", done);
	json_set_int(o, "total", total);
	output_line(out, o);
	cJSON_Delete(o);
}

int output_text(struct output *out, const char *key, const char *text,
		size_t len)
{
	while (len > 0) {
		size_t n = len <= CHUNK ? len : utf8_whole(text, CHUNK);
		char *part = mem_alloc(n + 1);
		cJSON *o = cJSON_CreateObject();
		int r;

		memcpy(part, text, n);
		for (size_t i = 0; i < n; i++)
			if (!part[i])
				part[i] = '?';
		json_set_str(o, key, part);
		r = output_line(out, o);
		cJSON_Delete(o);
		free(part);
		if (r < 0)
			return -1;
		text += n;
		len -= n;
	}
	return 0;
}

int output_check(struct output *out, struct err *err)
{
	struct pollfd p = {.fd = out->fd};

	if (caught == SIGALRM)
		return err_set(err, ERR_TIMEOUT, "stopped: it takes too long");
	if (caught)
		return err_set(err, ERR_FAILED, "stopped by a signal (%s)",
			       strsignal(caught));
	/* a pipe without a reader, a socket whose other end is closed */
	if (!out->gone && poll(&p, 1, 0) > 0 &&
	    (p.revents & (POLLERR | POLLNVAL)))
		out->gone = true;
	if (out->gone)
		return err_set(err, ERR_FAILED, "stopped: the caller exited");
	return limits_check(err);
}
