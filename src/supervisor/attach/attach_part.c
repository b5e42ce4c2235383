/* attach_part.c - the requests of clients that show the session, and the events
 * that change what they see. */
#include "base/json.h"
#include "supervisor/attach/attach_internal.h"
#include "supervisor/harness/harness.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "wire/frame.h"

static int on_resize(struct peer *p, struct request *rq, struct err *err)
{
	int cols = (int)rq->resize.cols, rows = (int)rq->resize.rows;

	if (!p->attached)
		return err_set(err, ERR_CONFLICT, "resize: not attached");
	if (cols < 1 || rows < 1 || cols > SCREEN_MAX_COLS ||
	    rows > SCREEN_MAX_ROWS)
		return err_set(err, ERR_USAGE, "resize: %d x %d is not a size",
			       cols, rows);
	attach_resize(p->attached, cols, rows);
	peer_reply(p, rq->seq, NULL);
	return 0;
}

/* The backend has a command that shows the session; the client runs it. */
static int attach_outside(struct peer *p, struct request *rq, struct err *err)
{
	struct supervisor *sv = p->sv;
	struct terminal_attach how = {
	    .detach_key = rq->attach.detach_key,
	    .read_only = rq->attach.read_only,
	    .truecolor = rq->attach.truecolor,
	    .clipboard = rq->attach.clipboard,
	    .first_line = rq->attach.first_line,
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
	json_set_strv(o, "argv", &argv);
	strv_finish(&argv);
	peer_reply(p, rq->seq, o);
	return 0;
}

bool attach_is_on(const struct supervisor *sv)
{
	if (sv->attached)
		return true;
	for (const struct peer *p = sv->peers; p; p = p->next)
		if (p->attached_outside && !p->dead)
			return true;
	return false;
}

static int on_attach(struct peer *p, struct request *rq, struct err *err)
{
	int fd = p->passed_fd;

	if (!p->sv->terminal)
		return harness_check_running(p->sv, err);
	p->was_attached = true;
	if (p->sv->backend->attach || rq->attach.outside)
		return attach_outside(p, rq, err);
	p->passed_fd = -1;
	if (attach_add(p, &rq->attach, fd, err) < 0)
		return -1;
	peer_reply(p, rq->seq, NULL);
	return 0;
}

static int on_detach(struct peer *p, struct request *rq, struct err *err)
{
	struct supervisor *sv = p->sv;
	cJSON *o = cJSON_CreateObject();

	attach_end(p->attached, "detached", NULL);
	/* ending: attach:end will follow */
	json_set_bool(o, "ending",
		      p->attached_outside &&
			  (!sv->terminal || sv->end->exited || sv->end->lost));
	peer_reply(p, rq->seq, o);
	return 0;
}

static int on_input(struct peer *p, struct request *rq, struct err *err)
{
	struct buf keys = {0};

	if (!p->attached)
		return err_set(err, ERR_CONFLICT, "input: not attached");
	if (frame_decode_bytes(rq->input.data, &keys) < 0) {
		buf_finish(&keys);
		return err_set(err, ERR_USAGE,
			       "input: data is not encoded bytes");
	}
	attach_input(p->attached, keys.data, keys.len);
	buf_finish(&keys);
	peer_reply(p, rq->seq, NULL);
	return 0;
}

static const struct request_handler requests[] = {
    {REQUEST_ATTACH, on_attach},
    {REQUEST_DETACH, on_detach},
    {REQUEST_INPUT, on_input},
    {REQUEST_RESIZE, on_resize},
    {0},
};

/* -- the part ------------------------------------------------------------- */

static void end_attached(struct supervisor *sv, const char *reason,
			 const char *text)
{
	while (sv->attached)
		attach_end(sv->attached, reason, text);
	for (struct peer *p = sv->peers; p; p = p->next) {
		if (p->attached_outside)
			attach_send_end(p, reason, text);
		p->attached_outside = false;
	}
}

/* The harness may have room for more keys. */
static void attach_taken(struct supervisor *sv)
{
	for (struct attached *a = sv->attached; a; a = a->next)
		attach_update_events(a);
}

static void attach_ended(struct supervisor *sv, const char *reason)
{
	end_attached(sv, "exit", reason);
}

static void attach_closed(struct supervisor *sv, struct peer *p)
{
	attach_end(p->attached, "lost", NULL);
}

static void attach_finish(struct supervisor *sv)
{
	end_attached(sv, "lost", "the supervisor ended");
}

const struct part attach_part = {
    .requests = requests,
    .pass = attach_output,
    .clipboard = attach_clipboard,
    .taken = attach_taken,
    .ended = attach_ended,
    .closed = attach_closed,
    .finish = attach_finish,
};
