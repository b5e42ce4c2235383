/*
 * inbox.c - all that waits for the user's word, over all sessions, the oldest
 * first: approvals with the very command, and questions.
 *
 * What is chosen is a session's id, and an answer is bound to the question's,
 * so that nothing that comes or goes meanwhile is answered in its place.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tui/keys.h"
#include "tui/layout.h"
#include "tui/tui.h"

#define AGE_COLS 5
#define AGE_MS	 5000 /* how long one stands in the picture */

struct inbox {
	struct view view;
	char id[SPEC_ID_LEN + 1]; /* the chosen one's */
	size_t at, top;		  /* where it was */
	int page;
};

struct waiting {
	const struct session **v;
	size_t n;
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

/* Finds the chosen one again, or what stands in its place now. */
static struct waiting look(struct tui *t, struct inbox *in)
{
	const struct session_list *l = &t->model.list;
	struct waiting w = {.v = mem_alloc((l->n + 1) * sizeof *w.v)};

	for (size_t i = 0; i < l->n; i++)
		if (waits(&l->v[i]))
			w.v[w.n++] = &l->v[i];
	if (w.n)
		qsort(w.v, w.n, sizeof *w.v, by_age);
	for (size_t i = 0; i < w.n; i++)
		if (strcmp(w.v[i]->spec.id, in->id) == 0)
			in->at = i;
	if (in->at >= w.n)
		in->at = w.n ? w.n - 1 : 0;
	in->id[0] = '\0';
	if (w.n)
		memcpy(in->id, w.v[in->at]->spec.id, sizeof in->id);
	return w;
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

static void draw_row(struct tui *t, const struct session *s, int row,
		     const struct rect *r, int names, bool chosen)
{
	struct style st = chosen ? (struct style){.attrs = SCREEN_REVERSE}
				 : (struct style){0};
	int64_t since = model_since(s), age = clock_wall_ms() - since;
	int col = r->col + 2;
	char *label = session_label(s, &t->model.list), *text = text_of(s);
	char old[24];

	clock_age(age > 0 ? age : 0, old, sizeof old);
	tui_lasts(t, AGE_MS);
	paint_fill(row, r->col, r->cols, st);
	paint_text(row, r->col, 2, chosen ? "> " : "  ", st);
	paint_text(row, col, AGE_COLS - 1, old, st);
	paint_text(row, col + AGE_COLS, names, label, st);
	col += AGE_COLS + names + 1;
	paint_text(row, col, 1, s->state.question_id ? "!" : "?", st);
	col += 2;
	paint_text(row, col, r->col + r->cols - col, text, st);
	free(label);
	free(text);
}

/* The chosen one's, with all of its words. */
static void draw_text(struct tui *t, const struct session *s,
		      const struct rect *r)
{
	struct rect in = {r->row + 1, r->col, r->rows - 1, r->cols};
	char *label = session_label(s, &t->model.list), *text = text_of(s);
	char *title = s->state.question_id
			  ? mem_printf(" %s asks, approval %s ", label,
				       s->state.question_id)
			  : mem_printf(" %s asks ", label);

	paint_line(r->row, r->col, r->cols);
	paint_look(r->row, r->col + 2, r->cols - 4, title, LOOK_STRONG);
	paint_wrapped(&in, text, LOOK_PLAIN);
	free(title);
	free(text);
	free(label);
}

static int names_width(struct tui *t, const struct waiting *w, int cols)
{
	int width = 4;

	for (size_t i = 0; i < w->n; i++) {
		char *label = session_label(w->v[i], &t->model.list);

		if (paint_width(label) > width)
			width = paint_width(label);
		free(label);
	}
	return width < cols / 3 ? width : cols / 3;
}

static void inbox_draw(struct tui *t, struct view *v, const struct rect *r)
{
	struct inbox *in = (struct inbox *)v;
	struct waiting w = look(t, in);
	int rows = r->rows / 2, names = names_width(t, &w, r->cols);
	struct rect text = {0, r->col, 0, r->cols};

	if (w.n < (size_t)rows)
		rows = (int)w.n;
	in->page = rows;
	in->top = layout_scroll(in->top, in->at, w.n, (size_t)rows);
	if (!w.n)
		paint_look(r->row + 1, r->col + 2, r->cols - 4,
			   "Nobody waits for you.", LOOK_PLAIN);
	for (int i = 0; i < rows && in->top + (size_t)i < w.n; i++)
		draw_row(t, w.v[in->top + (size_t)i], r->row + i, r, names,
			 in->top + (size_t)i == in->at);
	text.row = r->row + rows;
	text.rows = r->rows - rows;
	if (w.n)
		draw_text(t, w.v[in->at], &text);
	free(w.v);
}

static void go(struct inbox *in, const struct waiting *w, long by)
{
	long to = (long)in->at + by;

	if (to >= 0 && to < (long)w->n)
		memcpy(in->id, w->v[to]->spec.id, sizeof in->id);
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
	struct waiting w;

	if (key_is_cancel(k) || act == ACT_QUIT || act == ACT_INBOX) {
		view_pop(t);
		return;
	}
	w = look(t, in);
	if (act == ACT_DOWN || act == ACT_NEW) /* j, n */
		go(in, &w, 1);
	else if (act == ACT_UP)
		go(in, &w, -1);
	else if (k.kind == KEY_KIND_CHAR && w.n)
		on_chosen(t, w.v[in->at], k.cp);
	free(w.v);
}

static void inbox_destroy(struct view *v)
{
	free(v);
}

static const struct hint hints[] = {
    {"a", "approve"}, {"d", "deny"},	   {"r", "answer"}, {"n", "next"},
    {"q", "back"},    {"Enter", "attach"}, {NULL, NULL},
};

static const struct view_ops inbox_ops = {
    .covers = true,
    .has_help = true,
    .draw = inbox_draw,
    .key = inbox_key,
    .hints = hints,
    .destroy = inbox_destroy,
};

struct view *inbox_view(void)
{
	struct inbox *in = mem_alloc(sizeof *in);

	in->view.ops = &inbox_ops;
	return &in->view;
}
