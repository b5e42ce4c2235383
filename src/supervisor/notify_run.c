/*
 * notify_run.c - programs that tell the user.
 *
 * Each is the leader of a session of its own, so that its deadline ends what
 * it has started too. Its input is a file in memory: nobody has to feed it.
 */
#include "supervisor/notify_run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/spawn.h"

#define KILLED_MS 1000 /* that one which was killed may take to be gone */

struct job {
	struct strv argv;
	char *input;
};

struct running {
	pid_t pid; /* 0: free */
	char *program;
	int64_t kill_at;
	bool late;
};

struct notify_run {
	struct loop_timer *deadline;
	notify_run_failed_fn failed;
	void *ctx;
	struct running running[NOTIFY_RUN_MAX];
	struct job queue[NOTIFY_RUN_QUEUE_MAX];
	size_t queued;
};

static void job_finish(struct job *j)
{
	strv_finish(&j->argv);
	free(j->input);
	*j = (struct job){0};
}

/* Kills what is late; sets the timer for the next. */
static void check_deadlines(struct notify_run *r)
{
	int64_t now = clock_mono_ms(), next = INT64_MAX;

	for (size_t i = 0; i < NOTIFY_RUN_MAX; i++) {
		struct running *p = &r->running[i];

		if (!p->pid || p->late)
			continue;
		if (now < p->kill_at) {
			next = p->kill_at < next ? p->kill_at : next;
			continue;
		}
		p->late = true;
		kill(-p->pid, SIGKILL);
	}
	if (next != INT64_MAX)
		loop_timer_set(r->deadline, next - now);
	else
		loop_timer_stop(r->deadline);
}

static void on_deadline(void *ctx)
{
	check_deadlines(ctx);
}

static void run(struct notify_run *r, struct running *p, const struct job *j)
{
	int in = j->input ? file_in_memory(j->input, strlen(j->input)) : -1;
	struct spawn sp = {
	    .argv = j->argv.v,
	    .dir = "/",
	    .fd = {in, -1, -1},
	    .new_session = true,
	};
	struct err err = {0};
	pid_t pid = -1;

	if (j->input && in < 0)
		err_errno(&err, "run %s", j->argv.v[0]);
	else
		pid = spawn_start(&sp, &err);
	if (in >= 0)
		close(in);
	if (pid < 0) {
		r->failed(r->ctx, j->argv.v[0], err.what);
		return;
	}
	*p = (struct running){
	    .pid = pid,
	    .program = mem_strdup(j->argv.v[0]),
	    .kill_at = clock_mono_ms() + NOTIFY_RUN_DEADLINE_MS,
	};
	check_deadlines(r);
}

static void next(struct notify_run *r)
{
	for (size_t i = 0; i < NOTIFY_RUN_MAX; i++) {
		while (!r->running[i].pid && r->queued > 0) {
			struct job j = r->queue[0];

			memmove(&r->queue[0], &r->queue[1],
				--r->queued * sizeof r->queue[0]);
			run(r, &r->running[i], &j);
			job_finish(&j);
		}
	}
}

struct notify_run *notify_run_create(struct loop *loop,
				     notify_run_failed_fn failed, void *ctx)
{
	struct notify_run *r = mem_alloc(sizeof *r);

	r->failed = failed;
	r->ctx = ctx;
	r->deadline = loop_timer_add(loop, on_deadline, r);
	return r;
}

void notify_run_start(struct notify_run *r, const struct strv *argv,
		      const char *input)
{
	struct job *j = &r->queue[r->queued];

	if (argv->n == 0)
		return;
	if (r->queued == NOTIFY_RUN_QUEUE_MAX) {
		r->failed(r->ctx, argv->v[0], "too many of it wait to be run");
		return;
	}
	*j = (struct job){.input = mem_strdup(input)};
	strv_copy(&j->argv, argv);
	r->queued++;
	next(r);
}

static void ended(struct notify_run *r, const struct running *p, int status)
{
	char why[256];

	if (p->late)
		snprintf(why, sizeof why,
			 "%.100s was not done after %d s and was killed",
			 p->program, NOTIFY_RUN_DEADLINE_MS / 1000);
	else if (WIFSIGNALED(status))
		snprintf(why, sizeof why, "%.100s was killed by signal %d",
			 p->program, WTERMSIG(status));
	else if (WEXITSTATUS(status) != 0)
		snprintf(why, sizeof why, "%.100s exited with code %d",
			 p->program, WEXITSTATUS(status));
	else
		return;
	r->failed(r->ctx, p->program, why);
}

bool notify_run_reaped(struct notify_run *r, pid_t pid, int wait_status)
{
	for (size_t i = 0; i < NOTIFY_RUN_MAX; i++) {
		struct running p = r->running[i];

		if (p.pid != pid)
			continue;
		r->running[i] = (struct running){0};
		ended(r, &p, wait_status);
		free(p.program);
		next(r);
		return true;
	}
	return false;
}

size_t notify_run_pids(const struct notify_run *r, pid_t out[NOTIFY_RUN_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < NOTIFY_RUN_MAX; i++)
		if (r->running[i].pid)
			out[n++] = r->running[i].pid;
	return n;
}

/* For a moment, or until a child has ended; false on SIGTERM. */
static bool wait_for_child(int64_t ms)
{
	struct timespec left = {.tv_sec = ms / 1000,
				.tv_nsec = ms % 1000 * 1000000};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	return sigtimedwait(&set, NULL, &left) != SIGTERM;
}

static void wait_for_all(struct notify_run *r)
{
	int64_t end = clock_mono_ms() + NOTIFY_RUN_DEADLINE_MS + KILLED_MS;
	pid_t pids[NOTIFY_RUN_MAX], pid;
	int status;

	for (;;) {
		int64_t left = end - clock_mono_ms();

		while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
			notify_run_reaped(r, pid, status);
		if (notify_run_pids(r, pids) == 0 || left <= 0)
			return;
		for (size_t i = 0; i < NOTIFY_RUN_MAX; i++) {
			const struct running *p = &r->running[i];
			int64_t ms = p->kill_at - clock_mono_ms();

			if (p->pid && !p->late && ms < left)
				left = ms > 0 ? ms : 0;
		}
		if (!wait_for_child(left))
			for (size_t i = 0; i < NOTIFY_RUN_MAX; i++)
				r->running[i].kill_at = 0;
		check_deadlines(r);
	}
}

void notify_run_destroy(struct notify_run *r)
{
	if (!r)
		return;
	while (r->queued)
		job_finish(&r->queue[--r->queued]);
	wait_for_all(r);
	for (size_t i = 0; i < NOTIFY_RUN_MAX; i++)
		free(r->running[i].program);
	loop_timer_remove(r->deadline);
	free(r);
}
