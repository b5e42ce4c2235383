/*
 * git_run.c - runs a git that has no terminal, and prints its output made safe.
 *
 * What runs in a sandbox must not get the user's terminal: it could type there
 * (TIOCSTI), or leave a process that reads it. So its editor is a command that
 * passes the message through git's standard output, which nothing else uses,
 * and reads it again from git's standard input.
 */
#include "commands/git_run.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/utf8.h"
#include "commands/cli/foreground.h"
#include "commands/cli/input.h"
#include "commands/cli/output.h"
#include "commands/editor.h"
#include "wire/protocol.h"

#define SHOWN_MAX      ((size_t)256 * 1024)
#define LINE_MAX_SHOWN 4096

enum { SAID, MESSAGE, PIPES }; /* in foreground.fds */

struct running {
	struct foreground f;
	struct git_run *r;
	struct buf text[PIPES]; /* SAID: not printed yet */
	size_t shown;
	int answer; /* to its editor; -1: it was answered, or has none */
};

static void print_lines(struct running *g, bool all)
{
	char safe[LINE_MAX_SHOWN];
	struct buf *text = &g->text[SAID];
	size_t at = 0;

	while (at < text->len) {
		const char *line = text->data + at;
		const char *lf = memchr(line, '\n', text->len - at);
		size_t len = lf ? (size_t)(lf - line) : text->len - at;

		if (!lf && !all && len < sizeof safe)
			break;
		utf8_output(safe, sizeof safe, line, len);
		if ((g->shown += len + 1) <= SHOWN_MAX)
			fprintf(stderr, "%s\n", safe);
		/* What it says before that is why. */
		if (safe[0] &&
		    strcmp(safe, "fatal: failed to write commit object") != 0)
			utf8_printable(g->r->last, sizeof g->r->last, safe,
				       strlen(safe));
		at += len + (lf != NULL);
	}
	buf_drop(text, at);
}

static void copy_output(struct running *g, int which)
{
	struct pollfd *p = &g->f.fds[which];
	struct buf *text = &g->text[which];
	ssize_t n = p->fd < 0 ? -1 : 1;

	for (int i = 0; i < 64 && n > 0; i++) {
		n = read(p->fd, buf_room(text, 8192), 8192);
		if (n > 0)
			text->len += (size_t)n;
		if (which == SAID)
			print_lines(g, false);
	}
	if (n == 0)
		p->fd = -1;
}

static bool has_message(const struct running *g)
{
	const struct buf *text = &g->text[MESSAGE];

	return g->answer >= 0 && text->len &&
	       memchr(text->data, '\0', text->len);
}

/* Lets the user edit the message. If that fails, its file is kept. */
static int edit(struct running *g, struct err *err)
{
	struct buf *text = &g->text[MESSAGE];
	_free_ char *path =
	    file_temporary(text->data, strlen(text->data), ".txt", err);

	buf_clear(text);
	if (!path || editor_run((const char *[]){path, NULL}, true, err) < 0 ||
	    input_message(NULL, path, text, err) < 0)
		return -1;
	/* The pipe has room for all of it: the reader may never read. */
	if (write(g->answer, text->len ? text->data : "", text->len) !=
	    (ssize_t)text->len) {
		err_set(err, ERR_FAILED, "the message is too long");
		return err_hint(err, "your message is kept in %s", path);
	}
	unlink(path);
	file_reset(&g->answer);
	return 0;
}

/* Returns as foreground_wait(), or FOREGROUND_READY with err. */
static int wait_for(struct running *g, int64_t timeout_ms, struct err *err)
{
	int64_t until = clock_mono_ms() + timeout_ms;
	struct signalfd_siginfo si;
	int signo;

	do {
		signo = foreground_wait(&g->f, until, &si);
		copy_output(g, SAID);
		copy_output(g, MESSAGE);
		if (g->text[MESSAGE].len > PROTOCOL_TEXT_MAX) {
			err_set(err, ERR_FAILED, "the message is too long");
			return FOREGROUND_READY;
		}
		if (signo != FOREGROUND_READY || !has_message(g))
			continue;
		if (edit(g, err) < 0)
			return FOREGROUND_READY;
		until = clock_mono_ms() + timeout_ms;
	} while (signo == FOREGROUND_READY);
	return signo;
}

static int run_to_end(struct running *g, int64_t timeout_ms, struct err *err)
{
	int signo = wait_for(g, timeout_ms, err);

	if (signo != 0 || !g->r->contained)
		foreground_end(&g->f);
	copy_output(g, SAID);
	print_lines(g, true);
	if (g->shown > SHOWN_MAX)
		output_warn("more output of git is not shown");
	g->r->status = g->f.status;
	if (signo == FOREGROUND_READY)
		return -1;
	if (signo > 0)
		return err_set(err, ERR_FAILED, "was interrupted");
	if (signo < 0)
		return err_set(err, ERR_TIMEOUT,
			       "was not done after %lld s (check_timeout)",
			       (long long)timeout_ms / 1000);
	return 0;
}

static int make_pipe(int ends[2], struct err *err)
{
	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_errno(err, "make a pipe");
	return 0;
}

static int start(struct running *g, struct spawn *sp, struct err *err)
{
	int said[2] = {-1, -1}, message[2] = {-1, -1}, answer[2] = {-1, -1};
	int rc = make_pipe(said, err);

	if (rc == 0 && g->r->edits) {
		rc = make_pipe(message, err) < 0 || make_pipe(answer, err) < 0
			 ? -1
			 : 0;
		sp->fd[0] = answer[0];
	}
	if (rc == 0) {
		sp->fd[1] = g->r->edits ? message[1] : said[1];
		sp->fd[2] = said[1];
		sp->new_session = true;
		fcntl(answer[1], F_SETPIPE_SZ, PROTOCOL_TEXT_MAX);
		g->f.pid = spawn_start(sp, err);
		rc = g->f.pid > 0 ? 0 : -1;
	}
	file_close(said[1]);
	file_close(message[1]);
	file_close(answer[0]);
	g->answer = answer[1];
	g->f.fds[SAID] = (struct pollfd){.fd = said[0], .events = POLLIN};
	g->f.fds[MESSAGE] = (struct pollfd){.fd = message[0], .events = POLLIN};
	return rc;
}

int git_run(struct git_run *r, struct spawn *sp, int64_t timeout_ms,
	    struct err *err)
{
	struct running g = {.r = r, .answer = -1};
	int fds[PIPES], rc;

	fflush(stdout);
	foreground_begin(&g.f);
	rc = start(&g, sp, err);
	for (int i = 0; i < PIPES; i++) {
		fds[i] = g.f.fds[i].fd;
		if (fds[i] >= 0)
			file_set_nonblock(fds[i]);
	}
	if (g.answer >= 0)
		file_set_nonblock(g.answer);
	if (rc == 0)
		rc = run_to_end(&g, timeout_ms, err);
	foreground_finish(&g.f);
	for (int i = 0; i < PIPES; i++) {
		file_close(fds[i]);
		buf_finish(&g.text[i]);
	}
	file_close(g.answer);
	return rc;
}
