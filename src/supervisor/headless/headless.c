/*
 * headless.c - a supervisor whose parts are a client of JSON lines, and
 * commands beside the harness.
 *
 * Everything below it is ended when its input ends, when its reader is gone, at
 * SIGTERM, on request, and after the harness; also if no harness was started.
 */
#include "supervisor/headless/headless.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/tree.h"
#include "supervisor/harness/harness.h"
#include "supervisor/part.h"
#include "wire/frame.h"

#define INHERITED_MAX SERVICES_MAX

static void on_event(struct supervisor *sv, const char *name, const cJSON *o)
{
	if (strncmp(name, "agent:", 6) == 0)
		json_lines_write(&sv->headless->lines, o);
}

/* -- the end --------------------------------------------------------------- */

static void end_all(struct headless *h, int64_t grace_ms)
{
	struct supervisor *sv = h->sv;

	if (h->over)
		return;
	h->ending = true;
	h->end_grace_ms = grace_ms;
	if (h->starting) {
		headless_cancel_start(h);
		return;
	}
	harness_stop(
	    sv, sv->end->lost || sv->end->exited ? ENDING_NONE : ENDING_STOP,
	    grace_ms);
}

static void on_settled(struct headless *h)
{
	if (h->ending)
		end_all(h, h->end_grace_ms);
}

static void on_end(struct supervisor *sv, const char *reason)
{
	struct headless *h = sv->headless;
	struct err err;

	if (sv->end->lost) {
		err_set(&err, ERR_FAILED, "the agent is lost: %s",
			sv->end->lost);
		member_send_error(h, NULL, &err);
	}
	h->exit_code = WIFSIGNALED(sv->end->wait_status)
			   ? 128 + WTERMSIG(sv->end->wait_status)
			   : WEXITSTATUS(sv->end->wait_status);
}

static void on_ended(struct supervisor *sv, const char *reason)
{
	sv->headless->over = true;
	json_lines_close(&sv->headless->lines);
}

static void on_signal(void *ctx, int signo)
{
	struct supervisor *sv = ctx;
	struct headless *h = sv->headless;

	if (signo == SIGCHLD) {
		harness_reap(sv);
		return;
	}
	if (!h->started)
		h->exit_code = 128 + signo;
	else if (signo != SIGTERM && sv->pid && !sv->end->exited)
		kill(-sv->pid, signo); /* which need not end it */
	if (!h->started || signo == SIGTERM)
		end_all(h, sv->spec.stop_timeout_ms);
}

static int on_stop(struct peer *p, struct request *rq, struct err *err)
{
	end_all(p->sv->headless, rq->stdio_stop.has_timeout_ms
				     ? rq->stdio_stop.timeout_ms
				     : p->sv->spec.stop_timeout_ms);
	return 0;
}

/* -- the client ------------------------------------------------------------ */

static void on_line(void *ctx, const cJSON *o, const struct err *bad)
{
	struct headless *h = ctx;
	struct err err = {0};

	if (!o)
		member_send_error(h, NULL, bad);
	else if (request_run(&h->client, o, &err) < 0)
		member_send_error(h, o, &err);
}

static void on_hung_up(void *ctx)
{
	struct headless *h = ctx;

	end_all(h, h->sv->spec.stop_timeout_ms);
}

static void on_flow(void *ctx)
{
	struct headless *h = ctx;

	harness_pause_output(h->sv, json_lines_are_full(&h->lines));
}

static int headless_init(struct supervisor *sv, struct err *err)
{
	struct headless *h = sv->headless;
	_json_ cJSON *hello = member_event("system:ready");
	size_t n = 0;

	*h = (struct headless){.sv = sv,
			       .client = {.sv = sv, .lines = true},
			       .exit_code = 1,
			       .settled = on_settled,
			       .inherited = tree_children(),
			       .lines = {.ctx = h,
					 .taken = on_line,
					 .flow = on_flow,
					 .hung_up = on_hung_up}};
	headless_reset(sv);
	while (h->inherited[n])
		n++;
	if (n > INHERITED_MAX)
		return err_set(err, ERR_FAILED,
			       "it was started with %zu processes below it, "
			       "more than %d",
			       n, INHERITED_MAX);
	if (json_lines_open(&h->lines, sv->loop, err) < 0)
		return -1;
	json_set_int(hello, "v", WIRE_VERSION);
	json_set_int(hello, "pid", getpid());
	json_lines_write(&h->lines, hello);
	return 0;
}

static void headless_spare(const struct supervisor *sv, pid_t *list)
{
	while (*list)
		list++;
	for (const pid_t *p = sv->headless->inherited; *p; p++)
		*list++ = *p;
	*list = 0;
}

/* A reaped number can be reused for another process. */
static bool headless_reaped(struct supervisor *sv, pid_t pid, int status)
{
	pid_t *to = sv->headless->inherited;
	bool ours = false;

	for (const pid_t *p = to; *p; p++)
		if (*p == pid)
			ours = true;
		else
			*to++ = *p;
	*to = 0;
	return ours;
}

static void headless_finish(struct supervisor *sv)
{
	struct headless *h = sv->headless;

	json_lines_finish(&h->lines);
	free(h->inherited);
	headless_reset(sv);
}

static const struct request_handler requests[] = {
    {REQUEST_STDIO_STOP, on_stop},
    {0},
};

static const struct part headless_part = {
    .own = PART_OWN(headless),
    .init = headless_init,
    .event = on_event,
    .reaped = headless_reaped,
    .spare = headless_spare,
    .end = on_end,
    .ended = on_ended,
    .requests = requests,
    .finish = headless_finish,
};

extern const struct part publish_part, harness_part, io_part, end_part,
    headless_start_part, agent_part, exec_part, counting_part, peer_part,
    request_part, undo_part;

static const struct part *const headless_parts[] = {
    &publish_part,  &harness_part,	  &io_part,    &end_part,
    &headless_part, &headless_start_part, &agent_part, &exec_part,
    &counting_part, &request_part,	  &peer_part,  &undo_part,
    NULL,
};

int headless_run(void)
{
	struct supervisor sv = {
	    .parts = headless_parts,
	    .lock_fd = -1,
	};
	struct err err = {0};
	int code;

	if (supervisor_open(&sv, on_signal, &err) < 0) {
		fprintf(stderr, "%s\n", err.what);
		if (err.hint[0])
			fprintf(stderr, "%s\n", err.hint);
		code = err.kind;
	} else {
		while (!json_lines_are_done(&sv.headless->lines)) {
			loop_once(sv.loop, -1);
			peer_sweep(&sv);
		}
		code = sv.headless->exit_code;
	}
	if (sv.loop)
		supervisor_close(&sv);
	return code;
}
