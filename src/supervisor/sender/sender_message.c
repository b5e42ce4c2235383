/* sender_message.c - a message, and a copy of the screen that it is compared
 * with. */
#include "supervisor/sender/sender_internal.h"

#include <stdlib.h>

#include "base/mem.h"
#include "session/typable.h"

/* -- the message ----------------------------------------------------------- */

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

/* -- the copy -------------------------------------------------------------- */

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
