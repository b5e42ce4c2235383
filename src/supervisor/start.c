/* start.c - the request to start: who waits for it, and what comes with it. */
#include "supervisor/start.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "supervisor/harness.h"
#include "supervisor/notify.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "supervisor/post.h"
#include "supervisor/services.h"

struct start {
	struct peer *peer; /* who asked; NULL: is gone */
	int64_t seq;
	struct harness_start how;
	char *message;
};

static void wipe_list(const cJSON *list)
{
	const cJSON *e;

	cJSON_ArrayForEach (e, list) {
		if (cJSON_IsString(e))
			explicit_bzero(e->valuestring, strlen(e->valuestring));
		wipe_list(e);
	}
}

/* What came with the start is the harness's, and is wiped here: this is what
 * it was read from, forked into the guard otherwise. */
static void wipe(struct peer *p, const cJSON *rq)
{
	wipe_list(cJSON_GetObjectItemCaseSensitive(rq, "env"));
	wipe_list(cJSON_GetObjectItemCaseSensitive(rq, "service_env"));
	if (p->in.data)
		explicit_bzero(p->in.data + p->in.len, p->in.cap - p->in.len);
}

void start_fail(struct supervisor *sv, const struct err *err)
{
	struct start *st = sv->start;

	sv->starting = false;
	strv_finish(&st->how.env);
	sv->state.supervisor_pid = 0;
	state_set(&sv->state.detail, NULL);
	supervisor_phase(sv, PHASE_ERROR, err->what);
	if (st->peer)
		peer_refuse(st->peer, st->seq, err);
	st->peer = NULL;
	sv->unwanted = true;
}

void start_go(struct supervisor *sv)
{
	struct start *st = sv->start;
	struct err err = {0};
	bool resumed = false;
	cJSON *o;

	state_set(&sv->state.detail, NULL);
	if (harness_start(sv, &st->how, &resumed, &err) < 0) {
		services_cancel(sv, &err, sv->spec.stop_timeout_ms);
		return;
	}
	sv->starting = false;
	if (st->message)
		post_task(sv, st->message);
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

static int on_start(struct peer *p, const cJSON *rq, int64_t seq,
		    struct err *err)
{
	struct supervisor *sv = p->sv;
	struct start *st = sv->start;

	if (!p->starter || sv->pid || sv->starting)
		return err_set(err, ERR_CONFLICT,
			       "session '%s' is started already",
			       sv->spec.name);
	p->starter = false;
	*st = (struct start){
	    .peer = p,
	    .seq = seq,
	    .how = {.resume = json_bool(rq, "resume", false),
		    .fresh = json_bool(rq, "fresh", false),
		    .trusted = json_bool(rq, "trusted", false)},
	    .message = mem_strdup(json_str(rq, "message")),
	};
	sv->starting = true;
	json_strv(rq, "env", &st->how.env);
	notify_configure(sv->notify,
			 cJSON_GetObjectItemCaseSensitive(rq, "notify"));
	/* Where it fails it is still to go on. */
	sv->state.lost |= sv->state.phase == PHASE_SUSPENDED;
	supervisor_phase(sv, PHASE_STARTING, NULL);
	services_load(sv, cJSON_GetObjectItemCaseSensitive(rq, "service_env"));
	wipe(p, rq);
	services_start(sv);
	return 0;
}

/* Whoever wanted it has gone away. */
static void closed(struct peer *p)
{
	struct start *st = p->sv->start;

	if (st->peer != p)
		return;
	st->peer = NULL;
	start_cancel(p->sv, "whoever started it did not wait for it", 0);
}

static void finish(struct supervisor *sv)
{
	strv_finish(&sv->start->how.env);
	free(sv->start->message);
}

static const struct request requests[] = {
    {"start", REQUEST_ANY, on_start},
    {0},
};

const struct part start_part = {
    .own = PART_OWN(start),
    .requests = requests,
    .closed = closed,
    .finish = finish,
};
