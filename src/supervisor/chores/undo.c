/*
 * undo.c - what a supervisor does for afw undo(1): while it runs, no message is
 * typed, so that the agent stays idle; and it becomes part of the history.
 *
 * The connection of the request "hold" is the hold, because the kernel closes
 * it when the last process that has it ends: afw, or the afw-worktree that it
 * has started.
 */
#include "base/json.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"

/* A headless session has no sender: its client decides when it types. The state
 * that the client reads afterwards is of now: an agent that has just begun to
 * work does not look idle. */
static int on_hold(struct peer *p, struct request *rq, struct err *err)
{
	struct sender *sender = p->sv->sender;

	publish_due(p->sv);
	if (sender && sender_hold(sender, "its work is being undone", err) < 0)
		return -1;
	p->holds = true;
	peer_reply(p, rq->seq, NULL);
	return 0;
}

static int on_undone(struct peer *p, struct request *rq, struct err *err)
{
	cJSON *o = cJSON_CreateObject(), *reply = cJSON_CreateObject();
	struct err unread;

	json_set_int(o, "to", rq->undone.to);
	json_set_int(o, "saved", rq->undone.saved);
	json_set_int(o, "files", rq->undone.files);
	publish_event(p->sv, rq->undone.redo ? "redo" : "undo", o);
	p->sv->state.checkpoint = rq->undone.saved;
	publish_soon(p->sv);
	if (p->sv->sender)
		sender_list(p->sv->sender, json_set_array(reply, "messages"),
			    &unread);
	peer_reply(p, rq->seq, reply);
	return 0;
}

static void undo_closed(struct supervisor *sv, struct peer *p)
{
	bool held = false;

	for (struct peer *other = sv->peers; other; other = other->next)
		held |= !other->dead && other->holds;
	if (p->holds && !held && sv->sender)
		sender_release(sv->sender);
}

static const struct request_handler requests[] = {
    {REQUEST_HOLD, on_hold},
    {REQUEST_UNDONE, on_undone},
    {0},
};

const struct part undo_part = {
    .closed = undo_closed,
    .requests = requests,
};
