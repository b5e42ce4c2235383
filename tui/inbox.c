/*
 * inbox.c - all that waits for the user's word, over all sessions, the oldest
 * first: approvals with the very command, and questions.
 *
 * What is chosen is a session's id, and an answer is bound to the question's,
 * so that nothing that comes or goes meanwhile is answered in its place.
 */
#include <stdlib.h>
#include <string.h>

#include "tui/keys.h"
#include "tui/rows.h"
#include "tui/tui.h"

struct inbox {
	struct view view;
	struct rows rows;
};

static bool waits(const struct session *s)
{
	return s->alive && (s->state.question_id || session_urgency(s) == 0);
}

static int by_age(const void *a, const void *b)
{
	const struct session *x = *(const struct session *const *)a;
	const struct session *y = *(const struct session *const *)b;
	int64_t at = model_since(x), other = model_since(y);

	return at != other ? (at < other ? -1 : 1)
			   : strcmp(x->spec.id, y->spec.id);
}

/* What is asked, whole; to be freed. */
static char *text_of(const struct session *s)
{
	struct buf b = {0};

	if (s->state.question_id)
		return mem_strdup(s->state.question ? s->state.question : "");
	session_says(s, &b);
	buf_adds(&b, "");
	return buf_steal(&b);
}

static void add(struct tui *t, struct rows *rows, const struct session *s)
{
	struct row_text *w = rows_add(rows, s->spec.id);
	const char *approval = s->state.question_id;

	w->name = session_label(s, &t->model.list);
	w->note = mem_strdup(approval ? "!" : "?");
	w->text = text_of(s);
	w->title = approval ? mem_printf(" %s asks, approval %s ", w->name,
					 approval)
			    : mem_printf(" %s asks ", w->name);
	w->since = model_since(s);
	w->of = s;
}

static void look(struct tui *t, struct inbox *in)
{
	const struct session_list *l = &t->model.list;
	const struct session **v = mem_alloc((l->n + 1) * sizeof *v);
	size_t n = 0;

	rows_clear(&in->rows);
	for (size_t i = 0; i < l->n; i++)
		if (waits(&l->v[i]))
			v[n++] = &l->v[i];
	if (n)
		qsort(v, n, sizeof *v, by_age);
	for (size_t i = 0; i < n; i++)
		add(t, &in->rows, v[i]);
	free(v);
	rows_settle(&in->rows);
}

static void inbox_draw(struct tui *t, struct view *v, const struct rect *r)
{
	struct inbox *in = (struct inbox *)v;

	look(t, in);
	rows_draw(t, &in->rows, r, "Nobody waits for you.");
}

/* What is done with the one that is chosen. */
static void on_chosen(struct tui *t, const struct session *s, uint32_t c)
{
	switch (c) {
	case '\r':
		model_select(&t->model, s->spec.id);
		action_attach(t, s);
		break;
	case 'a':
		ask_approve(t, s);
		break;
	case 'd':
		ask_deny(t, s);
		break;
	case 'r':
		view_push(t, editor_view(t, s->spec.id, s->spec.name));
		break;
	default:
		break;
	}
}

static void inbox_key(struct tui *t, struct view *v, struct key k)
{
	struct inbox *in = (struct inbox *)v;
	enum act act = keys_act(k);

	if (key_is_cancel(k) || act == ACT_QUIT || act == ACT_INBOX) {
		view_pop(t);
		return;
	}
	look(t, in);
	if (!rows_key(&in->rows, k) && k.kind == KEY_KIND_CHAR && in->rows.n)
		on_chosen(t, rows_chosen(&in->rows)->of, k.cp);
}

static void inbox_mouse(struct tui *t, struct view *v, const struct mouse *m)
{
	struct inbox *in = (struct inbox *)v;

	if (rows_mouse(&in->rows, m))
		inbox_key(t, v, (struct key){KEY_KIND_CHAR, '\r'});
}

static void inbox_destroy(struct view *v)
{
	struct inbox *in = (struct inbox *)v;

	rows_clear(&in->rows);
	free(in);
}

static const struct hint hints[] = {
    {"a", "approve"}, {"d", "deny"},	   {"r", "answer"}, {"n", "next"},
    {"{quit}", "back"},    {"Enter", "attach"}, {NULL, NULL},
};

static const struct view_ops inbox_ops = {
    .covers = true,
    .has_help = true,
    .draw = inbox_draw,
    .key = inbox_key,
    .mouse = inbox_mouse,
    .hints = hints,
    .destroy = inbox_destroy,
};

struct view *inbox_view(void)
{
	struct inbox *in = mem_alloc(sizeof *in);

	in->view.ops = &inbox_ops;
	return &in->view;
}
