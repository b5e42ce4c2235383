/*
 * request.c - finds the row of a request, checks whether the client may use it,
 * and has the requests of the supervisor itself. Each other request is a row of
 * requests[] in the part that handles it (grep 'struct request requests'; those
 * in headless/ belong to afw-supervisor --stdio). wire/protocol.h lists all.
 */
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "session/disk/board.h"
#include "session/disk/groups.h"
#include "session/live/processes.h"
#include "session/session.h"
#include "supervisor/door/bridge.h"
#include "supervisor/harness/harness.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "supervisor/sender/messages.h"
#include "supervisor/start.h"

/* An agent may end its own session, and sessions that were started in it. */
static int check_user_or_parent(const struct peer *p, struct err *err)
{
	if (p->within == getpid() ||
	    (p->within > 0 && process_is_below(getpid(), p->within)))
		return 0;
	return peer_check_user(p, err);
}

static int end_harness(struct peer *p, const cJSON *rq, int64_t seq,
		       enum ending why, struct err *err)
{
	struct supervisor *sv = p->sv;

	if (check_user_or_parent(p, err) < 0)
		return -1;
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
	p->stop_seq = seq;
	harness_stop(sv, why,
		     json_int(rq, "timeout_ms", sv->spec.stop_timeout_ms));
	return 0;
}

static int on_stop(struct peer *p, const cJSON *rq, int64_t seq,
		   struct err *err)
{
	return end_harness(p, rq, seq, ENDING_STOP, err);
}

static int on_suspend(struct peer *p, const cJSON *rq, int64_t seq,
		      struct err *err)
{
	return end_harness(p, rq, seq, ENDING_SUSPEND, err);
}

static int on_status(struct peer *p, const cJSON *rq, int64_t seq,
		     struct err *err)
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
	if (sv->terminal && sv->activity)
		activity_explain(sv->activity, clock_mono_ms(), o);
	if (sv->verdict.source == SOURCE_TOOL)
		bridge_explain(sv, o);
	messages_explain(sv, o);
	json_set_str(o, "send_waits_for",
		     sv->sender ? sender_wait_reason(sv->sender) : "");
	peer_reply(p, seq, o);
	return 0;
}

/* afw, which owns the specification, has already written it there. */
static int on_rename(struct peer *p, const cJSON *rq, int64_t seq,
		     struct err *err)
{
	struct supervisor *sv = p->sv;
	struct spec now;
	char *was = sv->spec.name;

	if (spec_load(&now, sv->dir, err) < 0)
		return -1;
	sv->spec.name = now.name;
	now.name = was;
	spec_finish(&now);
	board_set_spec(&sv->spec);
	publish_state(sv, false);
	peer_reply(p, seq, NULL);
	return 0;
}

static int on_subscribe(struct peer *p, const cJSON *rq, int64_t seq,
			struct err *err)
{
	const cJSON *events = cJSON_GetObjectItemCaseSensitive(rq, "events");

	if (!cJSON_IsArray(events) || cJSON_GetArraySize(events) > 32)
		return err_set(err, ERR_USAGE,
			       "subscribe: events is not a list of names");
	cJSON_Delete(p->subscribed);
	p->subscribed = cJSON_Duplicate(events, 1);
	p->screen_revision = 0;
	peer_reply(p, seq, NULL);
	capture_changed(p->sv);
	return 0;
}

static const struct request requests[] = {
    {"rename", REQUEST_ANY, on_rename},
    {"status", REQUEST_ANY, on_status},
    {"stop", REQUEST_ANY, on_stop},
    {"subscribe", REQUEST_ANY, on_subscribe},
    {"suspend", REQUEST_ANY, on_suspend},
    {0},
};

static const struct request *find_request(const struct peer *p, const char *cmd)
{
	EACH_PART (part, p->sv)
		for (const struct request *r = (*part)->requests; r && r->cmd;
		     r++)
			if (strcmp(r->cmd, cmd) == 0 &&
			    p->lines == !!(r->needs & REQUEST_LINES))
				return r;
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

int request_run(struct peer *p, const cJSON *rq, struct err *err)
{
	const char *cmd = json_str_or(rq, "cmd", "");
	const struct request *r = find_request(p, cmd);

	if (!r)
		return err_unknown_request(p, cmd, err);
	if (r->needs & REQUEST_USER && peer_check_user(p, err) < 0)
		return -1;
	if (r->needs & REQUEST_RUNNING && harness_check_running(p->sv, err) < 0)
		return -1;
	return r->run(p, rq, json_int(rq, "seq", 0), err);
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
