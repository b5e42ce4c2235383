/*
 * sender_message.c - the message under way: creates it, stores it on disk,
 * removes it, and ends it with its final receipt.
 */
#include "supervisor/sender/sender_internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "session/typable.h"

void view_copy_finish(struct view_copy *c)
{
	for (size_t i = 0; i < 2 * c->view.nrows; i++)
		free(c->rows[i]);
	free(c->rows);
	*c = (struct view_copy){0};
}

void view_copy_set(struct view_copy *c, const struct screen_view *v)
{
	size_t n = v->nrows;

	view_copy_finish(c);
	c->rows = mem_alloc((2 * n + 1) * sizeof *c->rows);
	for (size_t i = 0; i < n; i++) {
		c->rows[i] = mem_strdup(v->rows[i]);
		c->rows[n + i] = mem_strdup(v->solid[i]);
	}
	c->view = *v;
	c->view.rows = (const char *const *)c->rows;
	c->view.solid = c->view.rows + n;
	c->view.lit = NULL;
	c->view.title = "";
}

bool sender_is_typed(const struct sender *s, const struct message *m)
{
	return m == s->message && s->step > STEP_WAIT;
}

size_t sender_filter(const struct sender *s, const char *text, size_t len,
		     unsigned flags, struct buf *out)
{
	size_t dropped = typable_filter(text, len, out);

	return flags & SENDER_RAW ? dropped
				  : dropped + adapter_drop(s->adapter, out);
}

struct message *message_create(const struct sender *s, int64_t id,
			       unsigned flags, struct buf *text)
{
	struct message *m = mem_alloc(sizeof *m);

	m->id = id;
	m->taken_at = sender_now(s);
	m->flags = flags;
	m->len = text->len;
	m->text = buf_steal(text);
	return m;
}

void message_free(struct message *m)
{
	if (m == NULL)
		return;
	free(m->text);
	free(m);
}

void sender_dequeue(struct sender *s)
{
	message_free(s->message);
	s->message = NULL;
	s->step = STEP_WAIT;
	s->free_since = 0;
	s->blocked_since = 0;
	s->waits_for[0] = '\0';
}

int sender_store(struct sender *s, struct message *m, struct err *err)
{
	struct queued q = {.id = m->id,
			   .flags = m->flags,
			   .at =
			       clock_wall_ms() - (sender_now(s) - m->taken_at),
			   .text = m->text,
			   .len = m->len};

	if (m->stored)
		return 0;
	if (queue_add(s->dir, &q, err) < 0)
		return -1;
	m->stored = true;
	s->files++;
	return 0;
}

bool sender_end(struct sender *s, enum receipt r, const char *detail)
{
	bool typed = r != RECEIPT_FAILED && r != RECEIPT_REFUSED;
	bool kept = s->message->stored;
	int64_t id = s->message->id;

	if (sender_is_typed(s, s->message)) {
		s->own_draft = r == RECEIPT_ACCEPTED ? s->entered_draft : 0;
		s->entered_draft = 0;
		buf_finish(&s->payload);
		view_copy_finish(&s->before);
	}
	sender_dequeue(s);
	s->files -= kept;
	/* If this supervisor is killed in between, the next one types the
	 * messages that are still stored. A message that is marked as typed is
	 * not typed again; its receipt is reported again. */
	if (kept && !typed)
		queue_remove(s->dir, id);
	s->ops->receipt(s->ctx, id, r, true, detail);
	if (kept && typed)
		queue_remove(s->dir, id);
	return true;
}

bool sender_give_up(struct sender *s, const char *why)
{
	char detail[SENDER_DETAIL + 64];
	const char *rest = "; Enter was not pressed, and what was typed is "
			   "left there";

	if (sender_record_leftover(s))
		rest = "; Enter was not pressed, but it may still appear there";
	else if (s->step == STEP_CONFIRM)
		rest = "";
	snprintf(detail, sizeof detail, "%s%s", why, rest);
	sender_end(s, RECEIPT_UNCONFIRMED, detail);
	/* The screen may not change any more. */
	sender_note_screen(s);
	return true;
}
