/*
 * sender_message.c - one message: kept on disk, taken out of the queue, ended
 * with its last receipt.
 */
#include "supervisor/sender/sender_internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"

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
	return m == s->head && s->step > STEP_WAIT;
}

void sender_unlink(struct sender *s, struct message *m)
{
	struct message **at = &s->head;

	if (m == s->head)
		sender_forget_wait(s);
	while (*at != m)
		at = &(*at)->next;
	*at = m->next;
	if (m->next == NULL)
		s->tail = at;
}

void sender_forget_wait(struct sender *s)
{
	s->step = STEP_WAIT;
	s->free_since = 0;
	s->blocked_since = 0;
	s->waits_for[0] = '\0';
}

void sender_dequeue(struct sender *s, struct message *m)
{
	sender_unlink(s, m);
	s->count--;
	s->bytes -= m->len;
	free(m->text);
	free(m);
}

int sender_keep(struct sender *s, struct message *m, struct err *err)
{
	struct queued q = {.id = m->id,
			   .flags = m->flags,
			   .at = clock_wall_ms(),
			   .text = m->text,
			   .len = m->len};

	if (m->kept)
		return 0;
	if (s->dir == NULL)
		return err_set(err, ERR_FAILED, "nothing is kept here");
	if (queue_put(s->dir, &q, err) < 0)
		return -1;
	m->kept = true;
	return 0;
}

void sender_finish(struct sender *s, struct message *m, enum receipt r,
		   const char *detail)
{
	bool typed = r != RECEIPT_FAILED && r != RECEIPT_REFUSED;
	const char *dir = m->kept ? s->dir : NULL;
	int64_t id = m->id;

	if (sender_is_typed(s, m)) {
		s->own_draft = r == RECEIPT_ACCEPTED ? s->entered_draft : 0;
		s->entered_draft = 0;
		buf_finish(&s->payload);
		view_copy_finish(&s->before);
	}
	sender_dequeue(s, m);
	/* Killed in between, who comes after us types what is still there, but
	 * for what is marked as typed, which it tells of once more. */
	if (dir != NULL && !typed)
		queue_remove(dir, id);
	s->ops->receipt(s->ctx, id, r, true, detail);
	if (dir != NULL && typed)
		queue_remove(dir, id);
}

bool sender_end(struct sender *s, enum receipt r, const char *detail)
{
	sender_finish(s, s->head, r, detail);
	return true;
}

bool sender_give_up(struct sender *s, const char *why)
{
	char detail[SENDER_DETAIL + 64];
	const char *rest = "; Enter was not pressed, and what was typed is "
			   "left there";

	if (sender_keep_stray(s))
		rest = "; Enter was not pressed, but it may still come up "
		       "there";
	else if (s->step == STEP_CONFIRM)
		rest = "";
	snprintf(detail, sizeof detail, "%s%s", why, rest);
	return sender_end(s, RECEIPT_UNCONFIRMED, detail);
}
