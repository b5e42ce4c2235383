/*
 * send_post.c - a message through the harness's bridge instead of its keys.
 *
 * Posted once, at most. What the bridge gives back unsent was never posted: it
 * waits until the bridge is up again, and is typed where the bridge stays away
 * for too long though its harness lives. Keys that cannot be pressed by mistake
 * cannot approve anything either; but a message behind a question is answered
 * by nobody when the user says no, so a question stands in the way here too
 * (send_free.c).
 */
#include "supervisor/send_internal.h"

#include <stdio.h>
#include <string.h>

static int64_t later_of(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

void send_printed(struct sender *s)
{
	struct sender_bridge b = {0};

	if (s->ops->bridge == NULL || !s->ops->bridge(s->ctx, &b) || b.up)
		return;
	if (s->alive_at != 0 && s->closed_at == b.down_since)
		return;
	s->closed_at = b.down_since;
	s->alive_at = send_now(s);
}

/* How long a bridge that is not up is waited for yet. While it starts its
 * server may be slow; its screen tells that it has started. */
static int64_t wait_for_bridge(const struct sender *s,
			       const struct sender_bridge *b)
{
	bool alive = s->alive_at != 0 && s->closed_at == b->down_since;
	int64_t from = later_of(b->down_since, s->ready_at);

	if (b->gone)
		return 0;
	if (!alive)
		return SEND_BRIDGE_MS;
	return later_of(from, s->alive_at) + SEND_BRIDGE_MS - send_now(s);
}

enum by send_by(struct sender *s, const struct message *m, unsigned flags,
		char *why)
{
	struct sender_bridge b = {0};
	int64_t left;

	if (s->ops->bridge == NULL || (flags & SENDER_RAW) ||
	    !s->ops->bridge(s->ctx, &b))
		return BY_KEYS;
	if (b.up)
		return m != NULL && m->unsent >= SEND_UNSENT_MAX ? BY_KEYS
								 : BY_BRIDGE;
	left = wait_for_bridge(s, &b);
	if (s->ready && left <= 0)
		return BY_KEYS;
	snprintf(why, SEND_DETAIL, "%.200s", b.why);
	if (s->ready && s->head != NULL)
		send_later(s, left);
	return BY_WAIT;
}

/* Nothing of it has left: it waits again. */
static void give_back(struct sender *s)
{
	s->head->unsent++;
	send_unmark(s, s->head);
	buf_finish(&s->payload);
	s->free_since = 0;
	send_enter_step(s, STEP_WAIT, 0);
}

bool send_start_post(struct sender *s, struct message *m)
{
	struct err err = {0};
	struct look look;
	struct view v;

	if (!send_mark(s, m))
		return false;
	s->ops->view(s->ctx, &v);
	adapter_look(s->adapter, s->rules, &v, &look);
	buf_clear(&s->payload);
	buf_add(&s->payload, m->text, m->len);
	s->waits_for[0] = '\0';
	s->pasted_once = true;
	send_enter_step(s, STEP_POST, SEND_POST_MS);
	if (s->ops->post(s->ctx, m->id, m->text, look.mode, &err) < 0)
		give_back(s);
	return true;
}

bool send_step_post(struct sender *s)
{
	int64_t left = s->deadline - send_now(s);

	if (left <= 0)
		return send_give_up(s, "posted, but nothing was heard of it");
	send_later(s, left);
	return false;
}

void sender_posted(struct sender *s, int64_t id, const char *receipt,
		   const char *detail)
{
	static const struct {
		const char *word;
		enum receipt receipt;
	} ends[] = {{"accepted", RECEIPT_ACCEPTED},
		    {"failed", RECEIPT_FAILED},
		    {"unconfirmed", RECEIPT_UNCONFIRMED}};

	if (s->head == NULL || s->step != STEP_POST || s->head->id != id)
		return;
	if (strcmp(receipt, "submitted") == 0) {
		s->entered_at = send_now(s);
		send_tell(s, s->head, RECEIPT_SUBMITTED, detail);
	} else if (strcmp(receipt, "unsent") == 0) {
		give_back(s);
	}
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (strcmp(receipt, ends[i].word) == 0) {
			send_finish(s, ends[i].receipt, detail);
			break;
		}
	send_run(s);
}

void sender_bridge_lost(struct sender *s, const char *why)
{
	char detail[SEND_DETAIL];

	if (s->head == NULL || s->step != STEP_POST)
		return;
	snprintf(detail, sizeof detail, "posted, but then: %.200s", why);
	send_finish(s, RECEIPT_UNCONFIRMED, detail);
	send_run(s);
}
