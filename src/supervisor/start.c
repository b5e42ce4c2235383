/* start.c - the request to start: the client that waits for it, and its
 * data. */
#include "supervisor/start.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/random.h"
#include "sandbox/sandbox.h"
#include "supervisor/chores/budget.h"
#include "supervisor/chores/notify.h"
#include "supervisor/harness/harness.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "supervisor/sender/messages.h"
#include "supervisor/services/services.h"

struct start {
	struct peer *peer; /* the client; NULL: disconnected */
	int64_t seq;
	struct harness_start how;
	char *message;
	struct err failed; /* the error to report after the harness has ended */
	struct loop_io *hold;
	struct loop_timer *late; /* limit for making the sandbox */
};

#define WALLS_MS 60000

/* Wipes the secrets of the request once they were copied for the harness:
 * otherwise the guard would inherit them when it is forked. */
static void wipe_frame(struct peer *p)
{
	if (p->in.data)
		explicit_bzero(p->in.data + p->in.len, p->in.cap - p->in.len);
}

/* Stops waiting for the sandbox, because the start is being ended. */
static void stop_waiting(struct start *st)
{
	loop_io_remove(st->hold);
	st->hold = NULL;
	loop_timer_stop(st->late);
}

static void report_failure(struct supervisor *sv, const struct err *err)
{
	struct start *st = sv->start;

	stop_waiting(st);
	if (sv->pid) {
		st->failed = *err;
		harness_stop(sv, ENDING_STOP, sv->spec.stop_timeout_ms);
		return;
	}
	sv->starting = false;
	strv_finish(&st->how.env);
	sv->state.supervisor_pid = 0;
	mem_set(&sv->state.detail, NULL);
	publish_phase(sv, PHASE_ERROR, err->what);
	if (st->peer)
		peer_reply_error(st->peer, st->seq, err);
	st->peer = NULL;
	sv->stop_requested = true;
}

static void report_unstarted(struct supervisor *sv, const char *words)
{
	struct err err = sv->start->failed;

	if (!err.kind)
		err_set(&err, ERR_FAILED, "%s", words);
	report_failure(sv, &err);
}

static void start_harness(struct supervisor *sv)
{
	struct start *st = sv->start;
	struct err err = {0};
	bool resumed = false;
	cJSON *o;

	mem_set(&sv->state.detail, NULL);
	if (!sv->pid && harness_launch(sv, &st->how, &err) < 0) {
		services_cancel(sv, &err, sv->spec.stop_timeout_ms);
		return;
	}
	sv->starting = false;
	harness_release(sv, &st->how, &resumed);
	if (st->message)
		messages_send_task(sv, st->message);
	if (!st->peer)
		return;
	o = cJSON_CreateObject();
	json_set_int(o, "pid", sv->pid);
	json_set_bool(o, "resumed", resumed);
	json_set_strv(o, "degraded", &sv->state.degraded);
	peer_reply(st->peer, st->seq, o);
	st->peer = NULL;
}

bool start_cancel(struct supervisor *sv, const char *why, int64_t grace_ms)
{
	struct err err;

	if (!sv->starting)
		return false;
	err_set(&err, ERR_FAILED, "%s", why);
	services_cancel(sv, &err, grace_ms);
	return true;
}

/* The sandbox is complete, or the process that should have made it has
 * ended. */
static void on_hold(void *ctx, int fd, short revents)
{
	struct supervisor *sv = ctx;
	char there;
	bool stand = read(fd, &there, 1) == 1;

	stop_waiting(sv->start);
	if (stand)
		services_start(sv);
}

static void on_late(void *ctx)
{
	struct supervisor *sv = ctx;

	stop_waiting(sv->start);
	start_cancel(sv, "its sandbox was not there within 60 s", 0);
}

/* Starts the harness first, held by its sandbox. */
static void start_harness_held(struct supervisor *sv)
{
	struct start *st = sv->start;
	struct err err = {0};

	if (harness_launch(sv, &st->how, &err) < 0) {
		services_cancel(sv, &err, 0);
		return;
	}
	st->hold =
	    loop_io_add(sv->loop, harness_hold_fd(sv), POLLIN, on_hold, sv);
	st->late = loop_timer_add(sv->loop, on_late, sv);
	loop_timer_set(st->late, WALLS_MS);
}

static const struct services_events events = {.ready = start_harness,
					      .failed = report_failure};

static int on_start(struct peer *p, struct request *rq, struct err *err)
{
	struct supervisor *sv = p->sv;
	const struct sandbox *tier = sandbox_find(sv->spec.sandbox);
	struct start_request *r = &rq->start;
	struct start *st = sv->start;
	char run[17];

	p->starter = false;
	*st = (struct start){
	    .peer = p,
	    .seq = rq->seq,
	    .how = {.resume = r->resume,
		    .if_any = r->if_any,
		    .fresh = r->fresh,
		    .trusted = r->trusted,
		    .fork = mem_strdup(r->fork)},
	    .message = mem_strdup(r->message),
	};
	random_hex(run, sizeof run - 1);
	mem_set(&sv->state.run, run);
	sv->starting = true;
	st->how.env = r->env;
	r->env = (struct strv){0};
	strv_copy(&sv->state.degraded, &r->degraded);
	if (r->over_budget)
		budget_allow_more(sv);
	notify_configure(sv->notify, r->notify);
	/* If the start fails, the session can still be resumed. */
	sv->state.lost |= sv->state.phase == PHASE_SUSPENDED;
	publish_phase(sv, PHASE_STARTING, NULL);
	services_load(sv, r->service_env, &events);
	sv->services->first = r->first;
	wipe_frame(p);
	if (tier && tier->holds)
		start_harness_held(sv);
	else
		services_start(sv);
	return 0;
}

/* The client that wanted the start has disconnected. */
static void start_closed(struct supervisor *sv, struct peer *p)
{
	struct start *st = sv->start;

	if (st->peer != p)
		return;
	st->peer = NULL;
	start_cancel(sv, "the program that started it did not wait for it", 0);
}

static void start_finish(struct supervisor *sv)
{
	stop_waiting(sv->start);
	strv_finish(&sv->start->how.env);
	free(sv->start->how.fork);
	launch_finish(&sv->start->how.launch);
	free(sv->start->message);
}

static const struct request_handler requests[] = {
    {REQUEST_START, on_start},
    {0},
};

const struct part start_part = {
    .own = PART_OWN(start),
    .unstarted = report_unstarted,
    .requests = requests,
    .closed = start_closed,
    .finish = start_finish,
};
