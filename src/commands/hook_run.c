/* hook_run.c - runs a hook, and prints its output made safe. */
#include "commands/hook_run.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/utf8.h"
#include "commands/cli/foreground.h"
#include "commands/cli/output.h"

#define SHOWN_MAX      ((size_t)256 * 1024)
#define LINE_MAX_SHOWN 4096

struct run {
	struct foreground f;
	int out;
	struct buf text; /* not printed yet */
	size_t shown;
	struct hook_end *end;
};

static void print_lines(struct run *r, bool all)
{
	char safe[LINE_MAX_SHOWN];
	size_t at = 0;

	while (at < r->text.len) {
		const char *line = r->text.data + at;
		const char *lf = memchr(line, '\n', r->text.len - at);
		size_t len = lf ? (size_t)(lf - line) : r->text.len - at;

		if (!lf && !all && len < sizeof safe)
			break;
		utf8_output(safe, sizeof safe, line, len);
		if ((r->shown += len + 1) <= SHOWN_MAX)
			fprintf(stderr, "%s\n", safe);
		if (safe[0])
			utf8_printable(r->end->last, sizeof r->end->last, safe,
				       strlen(safe));
		at += len + (lf != NULL);
	}
	buf_drop(&r->text, at);
}

static void copy_output(struct run *r)
{
	ssize_t n = 1;

	for (int i = 0; i < 64 && n > 0; i++) {
		n = read(r->out, buf_room(&r->text, 8192), 8192);
		if (n > 0)
			r->text.len += (size_t)n;
		print_lines(r, false);
	}
	if (n == 0)
		r->f.fds[0].fd = -1;
}

static int wait_for(struct run *r, const char *name, int64_t timeout_ms,
		    struct err *err)
{
	int64_t until = clock_mono_ms() + timeout_ms;
	struct signalfd_siginfo si;
	int signo;

	r->f.fds[0] = (struct pollfd){.fd = r->out, .events = POLLIN};
	do {
		signo = foreground_wait(&r->f, until, &si);
		copy_output(r);
	} while (signo == FOREGROUND_READY);
	if (signo != 0 || !r->end->contained)
		foreground_end(&r->f);
	print_lines(r, true);
	if (r->shown > SHOWN_MAX)
		output_warn("more output of %s is not shown", name);
	if (signo > 0)
		return err_set(err, ERR_FAILED, "was interrupted");
	if (signo < 0)
		return err_set(err, ERR_TIMEOUT,
			       "was not done after %lld s (check_timeout)",
			       (long long)timeout_ms / 1000);
	return 0;
}

int hook_run(struct spawn *sp, const char *name, int64_t timeout_ms,
	     struct hook_end *end, struct err *err)
{
	struct run r = {.end = end};
	int ends[2], rc = -1;

	*end = (struct hook_end){.contained = end->contained};
	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_errno(err, "make a pipe");
	sp->fd[0] = -1;
	sp->fd[1] = sp->fd[2] = ends[1];
	sp->new_session = true;
	r.out = ends[0];
	file_set_nonblock(r.out);
	fflush(stdout);
	foreground_begin(&r.f);
	r.f.pid = spawn_start(sp, err);
	close(ends[1]);
	if (r.f.pid > 0)
		rc = wait_for(&r, name, timeout_ms, err);
	foreground_finish(&r.f);
	close(r.out);
	buf_finish(&r.text);
	end->status = r.f.status;
	return rc;
}
