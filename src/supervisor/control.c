/*
 * control.c - what can be asked of a supervisor: one table of requests.
 *
 * Each function answers with peer_reply() or peer_refuse(), now or, for stop
 * and send, when the thing has happened.
 */
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "session/groups.h"
#include "session/session.h"
#include "session/within.h"
#include "supervisor/answer.h"
#include "supervisor/attach.h"
#include "supervisor/harness.h"
#include "supervisor/keys.h"
#include "supervisor/notify.h"
#include "supervisor/peer.h"
#include "supervisor/post.h"
#include "supervisor/watch.h"
#include "wire/bytes.h"

typedef int (*control_fn)(struct peer *p, const cJSON *rq, int64_t seq,
			  struct err *err);

static int need_running(const struct supervisor *sv, struct err *err)
{
	if (sv->terminal && sv->ending == ENDING_NONE && !sv->exited)
		return 0;
	return err_set(err, ERR_NOT_RUNNING, "session '%s' is %s",
		       sv->spec.name, phase_name(sv->state.phase));
}

/* Keys and answers are the user's: what an agent runs could allow itself, or
 * another agent, whatever it likes. */
static int need_user(const struct peer *p, struct err *err)
{
	if (p->within == 0)
		return 0;
	if (p->within < 0)
		return err_set(err, ERR_REFUSED,
			       "who asks cannot be told: its process is gone, "
			       "or out of sight");
	err_set(err, ERR_REFUSED,
		"what runs in a session may not do that (supervisor %d)",
		(int)p->within);
	return err_hint(err, "do it in a terminal of your own");
}

/* An agent may end its own session, and those that were started in it. */
static int need_user_or_parent(const struct peer *p, struct err *err)
{
	if (p->within == getpid() ||
	    (p->within > 0 && within_is_below(getpid(), p->within)))
		return 0;
	return need_user(p, err);
}

/* What came with the start is the harness's, and is wiped here: this is what
 * it was read from, forked into the guard otherwise. */
static void wipe(struct peer *p, const cJSON *rq)
{
	const cJSON *env = cJSON_GetObjectItemCaseSensitive(rq, "env"), *e;

	cJSON_ArrayForEach (e, env)
		if (cJSON_IsString(e))
			explicit_bzero(e->valuestring, strlen(e->valuestring));
	if (p->in.data)
		explicit_bzero(p->in.data + p->in.len, p->in.cap - p->in.len);
}

static int on_start(struct peer *p, const cJSON *rq, int64_t seq,
		    struct err *err)
{
	struct supervisor *sv = p->sv;
	struct harness_start hs = {
	    .resume = json_bool(rq, "resume", false),
	    .fresh = json_bool(rq, "fresh", false),
	    .trusted = json_bool(rq, "trusted", false),
	};
	const char *message = json_str(rq, "message");
	struct sender_taken taken;
	bool resumed = false;
	cJSON *o;
	int rc;

	if (!p->starter || sv->pid)
		return err_set(err, ERR_CONFLICT,
			       "session '%s' is started already",
			       sv->spec.name);
	p->starter = false;
	json_strv(rq, "env", &hs.env);
	wipe(p, rq);
	notify_configure(sv->notify,
			 cJSON_GetObjectItemCaseSensitive(rq, "notify"));
	/* Where it fails it is still to go on. */
	sv->state.lost |= sv->state.phase == PHASE_SUSPENDED;
	supervisor_phase(sv, PHASE_STARTING, NULL);
	rc = harness_start(sv, &hs, &resumed, err);
	strv_finish(&hs.env);
	if (rc < 0) {
		sv->state.supervisor_pid = 0;
		supervisor_phase(sv, PHASE_ERROR, err->what);
		return -1;
	}
	if (message && sender_submit(sv->sender, message, strlen(message),
				     SENDER_WHEN_IDLE, &taken, err) < 0) {
		/* It runs; only its task is not on its way. */
		strv_addf(&sv->state.degraded, "the task was not sent: %s",
			  err->what);
		supervisor_publish(sv, true);
	} else if (message) {
		sv->task = taken.id;
	}
	o = cJSON_CreateObject();
	json_set_int(o, "pid", sv->pid);
	json_set_bool(o, "resumed", resumed);
	json_set_strv(o, "degraded", &sv->state.degraded);
	peer_reply(p, seq, o);
	return 0;
}

static int on_send(struct peer *p, const cJSON *rq, int64_t seq,
		   struct err *err)
{
	if ((json_bool(rq, "raw", false) && need_user(p, err) < 0) ||
	    (!post_may_wait(rq) && need_running(p->sv, err) < 0))
		return -1;
	return post_send(p, rq, seq, err);
}

static int on_answer(struct peer *p, const cJSON *rq, int64_t seq,
		     struct err *err)
{
	if (need_user(p, err) < 0 || need_running(p->sv, err) < 0)
		return -1;
	return answer_request(p, rq, seq, err);
}

static int on_keys(struct peer *p, const cJSON *rq, int64_t seq,
		   struct err *err)
{
	if (need_user(p, err) < 0 || need_running(p->sv, err) < 0)
		return -1;
	return keys_press(p, rq, seq, err);
}

static int on_interrupt(struct peer *p, const cJSON *rq, int64_t seq,
			struct err *err)
{
	(void)rq;
	if (need_user(p, err) < 0 || need_running(p->sv, err) < 0)
		return -1;
	return keys_interrupt(p, seq, err);
}

static int end_harness(struct peer *p, const cJSON *rq, int64_t seq,
		       enum ending why, struct err *err)
{
	struct supervisor *sv = p->sv;

	if (need_user_or_parent(p, err) < 0)
		return -1;
	if (!sv->terminal)
		return err_set(err, ERR_NOT_RUNNING, "session '%s' is %s",
			       sv->spec.name, phase_name(sv->state.phase));
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

static int on_resize(struct peer *p, const cJSON *rq, int64_t seq,
		     struct err *err)
{
	int cols = (int)json_int(rq, "cols", 0);
	int rows = (int)json_int(rq, "rows", 0);

	if (cols < 1 || rows < 1 || cols > SCREEN_MAX_COLS ||
	    rows > SCREEN_MAX_ROWS)
		return err_set(err, ERR_USAGE, "resize: %d x %d is no size",
			       cols, rows);
	if (p->attached)
		attach_resize(p->attached, cols, rows);
	else if (need_running(p->sv, err) < 0)
		return -1;
	else
		harness_resize(p->sv, cols, rows);
	peer_reply(p, seq, NULL);
	return 0;
}

/* The backend has a command for it, which the client runs. */
static int attach_outside(struct peer *p, const cJSON *rq, int64_t seq,
			  struct err *err)
{
	struct supervisor *sv = p->sv;
	struct terminal_attach how = {
	    .detach_key = json_str(rq, "detach_key"),
	    .read_only = json_bool(rq, "read_only", false),
	    .truecolor = json_bool(rq, "truecolor", false),
	    .clipboard = json_str(rq, "clipboard"),
	};
	struct strv argv = {0};
	cJSON *o;

	if (!sv->backend->attach)
		return err_set(err, ERR_USAGE,
			       "attach to '%s': backend %s has no command for "
			       "that",
			       sv->spec.name, sv->backend->name);
	if (sv->backend->attach(sv->terminal, &how, &argv, err) < 0)
		return -1;
	p->attached_outside = true;
	o = cJSON_CreateObject();
	json_set_strv(o, "command", &argv);
	strv_finish(&argv);
	peer_reply(p, seq, o);
	return 0;
}

static int on_attach(struct peer *p, const cJSON *rq, int64_t seq,
		     struct err *err)
{
	int fd = p->passed_fd;

	if (!json_bool(rq, "read_only", false) && need_user(p, err) < 0)
		return -1;
	if (!p->sv->terminal)
		return need_running(p->sv, err);
	if (p->sv->backend->attach || json_bool(rq, "outside", false))
		return attach_outside(p, rq, seq, err);
	p->passed_fd = -1;
	if (attach_add(p, rq, fd, err) < 0)
		return -1;
	peer_reply(p, seq, NULL);
	return 0;
}

static int on_detach(struct peer *p, const cJSON *rq, int64_t seq,
		     struct err *err)
{
	struct supervisor *sv = p->sv;
	cJSON *o = cJSON_CreateObject();

	(void)rq;
	(void)err;
	attach_end(p->attached, "detached", NULL);
	/* Ending: attach:end is still to come. */
	json_set_bool(o, "ending",
		      p->attached_outside &&
			  (!sv->terminal || sv->exited || sv->lost));
	peer_reply(p, seq, o);
	return 0;
}

static int on_input(struct peer *p, const cJSON *rq, int64_t seq,
		    struct err *err)
{
	struct buf keys = {0};

	if (!p->attached)
		return err_set(err, ERR_CONFLICT, "input: not attached");
	if (bytes_from_text(json_str_or(rq, "data", ""), &keys) < 0) {
		buf_finish(&keys);
		return err_set(err, ERR_USAGE, "input: data is no bytes");
	}
	attach_input(p->attached, keys.data, keys.len);
	buf_finish(&keys);
	peer_reply(p, seq, NULL);
	return 0;
}

static int on_capture(struct peer *p, const cJSON *rq, int64_t seq,
		      struct err *err)
{
	if (!p->sv->screen)
		return need_running(p->sv, err);
	harness_read(p->sv, 256 * 1024);
	peer_reply(p, seq,
		   capture_to_json(p->sv, json_bool(rq, "colours", false),
				   (int)json_int(rq, "history", 0)));
	return 0;
}

static int on_status(struct peer *p, const cJSON *rq, int64_t seq,
		     struct err *err)
{
	struct supervisor *sv = p->sv;
	struct session view;
	cJSON *o;

	(void)rq;
	(void)err;
	/* Who reads the files after this reply sees no older state. */
	if (sv->dirty && !sv->unsaved)
		supervisor_show(sv);
	view = (struct session){.spec = sv->spec, .state = sv->state};
	groups_load(sv->dir, &view.groups);
	o = session_to_json(&view);
	strv_finish(&view.groups);
	if (sv->terminal)
		activity_explain(sv->activity, clock_mono_ms(), o);
	json_set_str(o, "send_waits_for",
		     sv->sender ? sender_waits_for(sv->sender) : "");
	peer_reply(p, seq, o);
	return 0;
}

static int on_subscribe(struct peer *p, const cJSON *rq, int64_t seq,
			struct err *err)
{
	const cJSON *events = cJSON_GetObjectItemCaseSensitive(rq, "events");

	if (!cJSON_IsArray(events) || cJSON_GetArraySize(events) > 32)
		return err_set(err, ERR_USAGE,
			       "subscribe: events is no list of names");
	cJSON_Delete(p->subscribed);
	p->subscribed = cJSON_Duplicate(events, 1);
	p->screen_revision = 0;
	peer_reply(p, seq, NULL);
	capture_changed(p->sv);
	return 0;
}

static const struct {
	const char *op;
	control_fn run;
} requests[] = {
    {"answer", on_answer},	 {"attach", on_attach},
    {"cancel", post_cancel},	 {"capture", on_capture},
    {"detach", on_detach},	 {"input", on_input},
    {"interrupt", on_interrupt}, {"keys", on_keys},
    {"queue", post_queue},	 {"resize", on_resize},
    {"send", on_send},		 {"start", on_start},
    {"status", on_status},	 {"stop", on_stop},
    {"subscribe", on_subscribe}, {"suspend", on_suspend},
};

void control_request(struct peer *p, const cJSON *rq)
{
	const char *op = json_str_or(rq, "op", "");
	int64_t seq = json_int(rq, "seq", 0);
	struct err err = {0};

	for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
		if (strcmp(requests[i].op, op) != 0)
			continue;
		if (requests[i].run(p, rq, seq, &err) < 0 && !p->dead)
			peer_refuse(p, seq, &err);
		return;
	}
	err_set(&err, ERR_USAGE, "there is no request '%.40s'", op);
	peer_refuse(p, seq, &err);
}
