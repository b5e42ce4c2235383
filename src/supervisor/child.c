/*
 * child.c - programs that run beside the harness.
 *
 * Each is the leader of a session of its own, so that its deadline ends what
 * it has started too. What it reads and prints are files in memory: nobody has
 * to feed it, and nobody to listen.
 */
#include "supervisor/child.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/spawn.h"
#include "base/tree.h"
#include "wire/program.h"

#define KILLED_MS 1000 /* that one which was killed may take to be gone */

struct child {
	struct child *next;
	pid_t pid;
	char *program;
	int output; /* -1: it is not kept */
	struct loop_timer *deadline;
	int64_t started_at, kill_at;
	bool late;	      /* it was killed */
	child_ended_fn ended; /* or NULL */
	void *ctx;
};

static void destroy(struct child *c)
{
	loop_timer_remove(c->deadline);
	file_close(c->output);
	free(c->program);
	free(c);
}

static void on_deadline(void *ctx)
{
	struct child *c = ctx;

	c->late = true;
	/* What it runs may lead a session, too (spawn_run()); held, it starts
	 * nothing behind our back. */
	kill(-c->pid, SIGSTOP);
	tree_kill(c->pid, NULL, SIGKILL);
	kill(-c->pid, SIGKILL);
}

void child_hurry(struct child *c, int64_t deadline_ms)
{
	int64_t at = clock_mono_ms() + deadline_ms;

	if (at >= c->kill_at)
		return;
	c->kill_at = at;
	loop_timer_set(c->deadline, deadline_ms);
}

struct child *child_start(struct supervisor *sv, const struct child_start *st,
			  struct err *err)
{
	_close_ int in =
	    st->fd ? -1 : file_in_memory(st->input, strlen(st->input));
	_close_ int out = st->keep_output ? file_in_memory("", 0) : -1;
	const int own[] = {in, out, -1}, *fd = st->fd ? st->fd : own;
	pid_t pids[CHILD_MAX + 1];
	struct child *c;
	pid_t pid = -1;

	child_pids(sv, pids);
	if (pids[CHILD_MAX - 1])
		err_set(err, ERR_LIMIT, "run %s: too many programs run already",
			st->argv[0]);
	else if ((!st->fd && in < 0) || (st->keep_output && out < 0))
		err_errno(err, "run %s", st->argv[0]);
	else
		pid = spawn_start(&(struct spawn){.argv = st->argv,
						  .dir = "/",
						  .fd = {fd[0], fd[1], fd[2]},
						  .new_session = true},
				  err);
	if (pid <= 0)
		return NULL;
	c = mem_alloc(sizeof *c);
	*c = (struct child){.next = sv->children,
			    .pid = pid,
			    .program = mem_strdup(st->argv[0]),
			    .output = TAKE_FD(out),
			    .started_at = clock_mono_ms(),
			    .kill_at = INT64_MAX,
			    .ended = st->ended,
			    .ctx = st->ctx};
	sv->children = c;
	c->deadline = loop_timer_add(sv->loop, on_deadline, c);
	if (st->deadline_ms)
		child_hurry(c, st->deadline_ms);
	return c;
}

struct child *child_ask_worktree(struct supervisor *sv, const char *op,
				 int64_t deadline_ms, child_ended_fn ended,
				 void *ctx, struct err *err)
{
	_json_ cJSON *o = spec_worktree_request(&sv->spec, op);
	_free_ char *program = program_find("afw-worktree");
	_buf_ struct buf request = {0};

	json_print(o, &request);
	buf_addc(&request, '\n');
	return child_start(sv,
			   &(struct child_start){
			       .argv = (char *[]){program, NULL},
			       .input = request.data,
			       .keep_output = true,
			       .deadline_ms = deadline_ms,
			       .ended = ended,
			       .ctx = ctx,
			   },
			   err);
}

void child_drop(struct child *c)
{
	if (!c)
		return;
	c->ended = NULL;
	on_deadline(c);
}

static void tell_end(struct child *c, int status)
{
	struct buf output = {0};
	char how[256];
	ssize_t n = 0;

	if (c->output >= 0)
		n = pread(c->output, buf_room(&output, CHILD_OUTPUT_MAX),
			  CHILD_OUTPUT_MAX, 0);
	output.len = n > 0 ? (size_t)n : 0;
	if (c->late)
		snprintf(how, sizeof how,
			 "%.100s was not done after %lld s and was killed",
			 c->program,
			 (long long)(c->kill_at - c->started_at) / 1000);
	else if (WIFSIGNALED(status))
		snprintf(how, sizeof how, "%.100s was killed by signal %d",
			 c->program, WTERMSIG(status));
	else
		snprintf(how, sizeof how, "%.100s exited with code %d",
			 c->program, WEXITSTATUS(status));
	c->ended(c->ctx, c->program, c->late || status ? how : NULL, &output);
	buf_finish(&output);
}

bool child_reaped(struct supervisor *sv, pid_t pid, int wait_status)
{
	for (struct child **at = &sv->children; *at; at = &(*at)->next) {
		struct child *c = *at;

		if (c->pid != pid)
			continue;
		*at = c->next;
		if (c->ended)
			tell_end(c, wait_status);
		destroy(c);
		return true;
	}
	return false;
}

void child_pids(const struct supervisor *sv, pid_t out[CHILD_MAX + 1])
{
	size_t n = 0;

	memset(out, 0, (CHILD_MAX + 1) * sizeof *out);
	for (const struct child *c = sv->children; c; c = c->next)
		out[n++] = c->pid;
}

/* Kills who is over his deadline; returns the next one, at most end. */
static int64_t next_deadline(struct supervisor *sv, int64_t end)
{
	int64_t now = clock_mono_ms();

	for (struct child *c = sv->children; c; c = c->next) {
		if (c->late)
			continue;
		if (now >= c->kill_at)
			on_deadline(c);
		else if (c->kill_at < end)
			end = c->kill_at;
	}
	return end;
}

/* Until then, or until a child has ended; false on SIGTERM. */
static bool wait_for_child(int64_t until)
{
	int64_t ms = until - clock_mono_ms();
	struct timespec left = {.tv_sec = ms > 0 ? ms / 1000 : 0,
				.tv_nsec = ms > 0 ? ms % 1000 * 1000000 : 0};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	return sigtimedwait(&set, NULL, &left) != SIGTERM;
}

void child_wait_all(struct supervisor *sv)
{
	int64_t end = clock_mono_ms();
	int status;
	pid_t pid;

	for (struct child *c = sv->children; c; c = c->next)
		if (!c->late && c->kill_at > end)
			end = c->kill_at;
	end += KILLED_MS;
	while (sv->children && clock_mono_ms() < end) {
		if (!wait_for_child(next_deadline(sv, end)))
			for (struct child *c = sv->children; c; c = c->next)
				on_deadline(c);
		while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
			child_reaped(sv, pid, status);
	}
	while (sv->children) {
		struct child *c = sv->children;

		sv->children = c->next;
		destroy(c);
	}
}
