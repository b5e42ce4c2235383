/*
 * tmux_call.c - a call of tmux that runs beside us.
 *
 * tmux exits with 0 where all its commands were done. Where one fails, those
 * behind it are not done, and the last one types: with any other code nothing
 * was typed. Of a client that was killed, or whose server died, nobody knows.
 */
#include "terminal/tmux_call.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/spawn.h"
#include "base/utf8.h"

#define CALL_MS	 10000
#define SAID_MAX 512

struct tmux_call {
	void (*done)(void *ctx, enum tmux_call_end end, const char *why);
	void *ctx;
	pid_t pid;
	int errors_fd; /* its standard error, or -1 */
	bool late;
	char *cannot; /* it could not be started: why; NULL: it was */
	struct loop_timer *timer;
};

static void clear(struct tmux_call *c)
{
	loop_timer_stop(c->timer);
	if (c->errors_fd >= 0)
		close(c->errors_fd);
	c->errors_fd = -1;
	c->pid = 0;
	c->late = false;
	free(c->cannot);
	c->cannot = NULL;
}

static void on_timer(void *ctx)
{
	struct tmux_call *c = ctx;
	char *why = c->cannot;

	if (c->pid > 0) {
		c->late = true;
		kill(c->pid, SIGKILL);
		return;
	}
	c->cannot = NULL;
	clear(c);
	c->done(c->ctx, TMUX_CALL_FAILED, why ? why : "");
	free(why);
}

struct tmux_call *tmux_call_create(struct loop *loop,
				   void (*done)(void *ctx,
						enum tmux_call_end end,
						const char *why),
				   void *ctx)
{
	struct tmux_call *c = mem_alloc(sizeof *c);

	c->done = done;
	c->ctx = ctx;
	c->errors_fd = -1;
	c->timer = loop_timer_add(loop, on_timer, c);
	return c;
}

void tmux_call_destroy(struct tmux_call *c)
{
	if (!c)
		return;
	tmux_call_kill(c);
	clear(c);
	loop_timer_remove(c->timer);
	free(c);
}

void tmux_call_start(struct tmux_call *c, const struct strv *argv,
		     char *const *envp, int in, int out)
{
	struct spawn sp = {.argv = argv->v,
			   .envp = envp,
			   .dir = "/",
			   .fd = {in, out, STDERR_FILENO},
			   .new_session = true};
	struct err err = {0};

	c->errors_fd = file_in_memory("", 0);
	if (c->errors_fd >= 0)
		sp.fd[2] = c->errors_fd;
	c->pid = spawn_start(&sp, &err);
	if (c->pid < 0) {
		c->pid = 0;
		c->cannot = mem_strdup(err.what);
	}
	loop_timer_set(c->timer, c->cannot ? 0 : CALL_MS);
}

bool tmux_call_runs(const struct tmux_call *c)
{
	return c->pid > 0 || c->cannot;
}

pid_t tmux_call_pid(const struct tmux_call *c)
{
	return c->pid;
}

void tmux_call_kill(struct tmux_call *c)
{
	if (c->pid > 0)
		kill(c->pid, SIGKILL);
}

/* The first line of what it said on standard error. */
static size_t first_line(const struct tmux_call *c, char *out, size_t size)
{
	char raw[SAID_MAX];
	ssize_t n = c->errors_fd < 0
			? -1
			: pread(c->errors_fd, raw, sizeof raw - 1, 0);

	raw[n > 0 ? n : 0] = '\0';
	utf8_printable(out, size, raw, strcspn(raw, "\n"));
	return strlen(out);
}

static enum tmux_call_end how_it_ended(const struct tmux_call *c, int status,
				       char *why, size_t size)
{
	char said[SAID_MAX];

	why[0] = '\0';
	if (status == 0)
		return TMUX_CALL_DONE;
	if (c->late) {
		snprintf(why, size, "tmux did not answer within %d s",
			 CALL_MS / 1000);
		return TMUX_CALL_MAYBE;
	}
	if (WIFSIGNALED(status)) {
		snprintf(why, size, "tmux was killed by signal %d (%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
		return TMUX_CALL_MAYBE;
	}
	if (first_line(c, said, sizeof said) > 0)
		snprintf(why, size, "tmux: %s", said);
	else
		snprintf(why, size, "tmux exited with code %d",
			 WEXITSTATUS(status));
	return strstr(said, "lost server") || strstr(said, "server exited")
		   ? TMUX_CALL_MAYBE
		   : TMUX_CALL_FAILED;
}

bool tmux_call_reaped(struct tmux_call *c, pid_t pid, int status)
{
	char why[SAID_MAX + 16];
	enum tmux_call_end end;

	if (c->pid <= 0 || pid != c->pid)
		return false;
	end = how_it_ended(c, status, why, sizeof why);
	clear(c);
	c->done(c->ctx, end, why);
	return true;
}
