/*
 * request.c - reads a request, checks whether the client may use it, and has
 * the requests of the supervisor itself. Each other one is carried out by a
 * part (grep 'struct request_handler requests'; those in headless/ belong to
 * afw-supervisor --stdio). wire/requests.def lists all.
 */
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "session/disk/board.h"
#include "session/disk/groups.h"
#include "session/live/processes.h"
#include "session/session.h"
#include "session/session_flags.h"
#include "supervisor/door/bridge.h"
#include "supervisor/harness/harness.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "supervisor/sender/messages.h"
#include "supervisor/start.h"

static int end_harness(struct peer *p, struct request *rq, enum ending why,
		       struct err *err)
{
	struct supervisor *sv = p->sv;

	/* The client learns that the start was cancelled when the supervisor
	 * exits. */
	if (why == ENDING_STOP && start_cancel(sv,
					       "it was stopped while it was "
					       "starting",
					       sv->spec.stop_timeout_ms))
		return 0;
	if (!sv->terminal && !sv->end->exited) {
		err_set(err, ERR_CONFLICT, "session '%s' is being started",
			sv->spec.name);
		return err_hint(err, "try again in a moment");
	}
	if (!sv->terminal)
		return err_set(err, ERR_NOT_RUNNING, "session '%s' is %s",
			       sv->spec.name, phase_name(sv->state.phase));
	if (why == ENDING_SUSPEND &&
	    !adapter_can_resume(sv->adapter, sv->rules)) {
		err_set(err, ERR_FAILED, "%s cannot continue a conversation",
			sv->spec.harness);
		return err_hint(err,
				"`afw stop %s` ends it, `afw start %s` begins "
				"a new conversation",
				sv->spec.name, sv->spec.name);
	}
	p->stop_seq = rq->seq;
	/* The members of suspend are those of stop. */
	harness_stop(sv, why,
		     rq->stop.has_timeout_ms ? rq->stop.timeout_ms
					     : sv->spec.stop_timeout_ms);
	return 0;
}

static int on_stop(struct peer *p, struct request *rq, struct err *err)
{
	return end_harness(p, rq, ENDING_STOP, err);
}

static int on_suspend(struct peer *p, struct request *rq, struct err *err)
{
	return end_harness(p, rq, ENDING_SUSPEND, err);
}

static int on_status(struct peer *p, struct request *rq, struct err *err)
{
	struct supervisor *sv = p->sv;
	struct session view;
	cJSON *o;

	/* A client that reads the files after this reply must not see an older
	 * state. */
	publish_due(sv);
	view = (struct session){.spec = sv->spec, .state = sv->state};
	groups_load(sv->dir, &view.groups);
	o = session_to_json(&view);
	strv_finish(&view.groups);
	if (sv->terminal && sv->observer.activity)
		activity_explain(sv->observer.activity, clock_mono_ms(), o);
	if (sv->verdict.source == SOURCE_TOOL)
		bridge_explain(sv, o);
	messages_explain(sv, o);
	json_set_str(o, "send_waits_for",
		     sv->sender ? sender_wait_reason(sv->sender) : "");
	peer_reply(p, rq->seq, o);
	return 0;
}

/* The name, and the user's flags: afw, which owns the specification, has
 * already written them there. */
static int on_rename(struct peer *p, struct request *rq, struct err *err)
{
	struct supervisor *sv = p->sv;
	struct spec now;
	char *was = sv->spec.name;

	if (spec_load(&now, sv->dir, err) < 0)
		return -1;
	sv->spec.name = now.name;
	now.name = was;
	session_flags_swap(&sv->spec, &now);
	spec_finish(&now);
	board_set_spec(&sv->spec);
	publish_state(sv, false);
	peer_reply(p, rq->seq, NULL);
	return 0;
}

static int on_subscribe(struct peer *p, struct request *rq, struct err *err)
{
	if (rq->subscribe.events.n > 32)
		return err_set(err, ERR_USAGE,
			       "subscribe: events has more than 32 names");
	strv_finish(&p->subscribed);
	strv_copy(&p->subscribed, &rq->subscribe.events);
	p->screen_revision = 0;
	peer_reply(p, rq->seq, NULL);
	capture_changed(p->sv);
	return 0;
}

static const struct request_handler requests[] = {
    {REQUEST_RENAME, on_rename},   {REQUEST_STATUS, on_status},
    {REQUEST_STOP, on_stop},	   {REQUEST_SUBSCRIBE, on_subscribe},
    {REQUEST_SUSPEND, on_suspend}, {0},
};

static const struct request_handler *find_handler(const struct peer *p,
						  enum request_id id)
{
	EACH_PART (part, p->sv)
		for (const struct request_handler *h = (*part)->requests;
		     id && h && h->id; h++)
			if (h->id == id)
				return h;
	return NULL;
}

static int err_unknown_request(const struct peer *p, const char *cmd,
			       struct err *err)
{
	if (!*cmd)
		return err_set(err, ERR_USAGE, "cmd is not a string");
	err_set(err, ERR_USAGE, "there is no request '%.40s'", cmd);
	return p->sv->headless && !p->lines
		   ? err_hint(err,
			      "session '%s' is headless: only the program that "
			      "started it can talk to its agent",
			      p->sv->spec.name)
		   : -1;
}

/* An agent may end its own session, and sessions that were started in it. */
static bool is_parent(const struct peer *p)
{
	return p->within == getpid() ||
	       (p->within > 0 && process_is_below(getpid(), p->within));
}

static int check_client(const struct peer *p, unsigned who, struct err *err)
{
	if (who & REQUEST_STARTER && !p->starter)
		return err_set(err, ERR_CONFLICT,
			       "session '%s' is started already",
			       p->sv->spec.name);
	if ((who & REQUEST_USER || (who & REQUEST_PARENT && !is_parent(p))) &&
	    peer_check_user(p, err) < 0)
		return -1;
	return who & REQUEST_RUNNING ? harness_check_running(p->sv, err) : 0;
}

int request_run(struct peer *p, const cJSON *o, struct err *err)
{
	const char *cmd = json_str_or(o, "cmd", "");
	CLEANUP(request_finish) struct request rq = {0};
	const struct request_handler *h =
	    find_handler(p, request_find(cmd, p->lines));

	if (!h)
		return err_unknown_request(p, cmd, err);
	if (request_read(h->id, o, &rq, err) < 0 ||
	    check_client(p, rq.who, err) < 0)
		return -1;
	return h->run(p, &rq, err);
}

static void run_request(struct peer *p, const cJSON *rq)
{
	struct err err = {0};

	p->open++;
	if (request_run(p, rq, &err) < 0 && !p->dead)
		peer_reply_error(p, json_int(rq, "seq", 0), &err);
}

static int request_init(struct supervisor *sv, struct err *err)
{
	sv->request = run_request;
	return 0;
}

const struct part request_part = {
    .init = request_init,
    .requests = requests,
};
