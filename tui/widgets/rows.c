/* rows.c - rows from a child's output, and the full text of the chosen one. */
#include "tui/widgets/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "tui/term/layout.h"
#include "tui/term/mouse.h"

#define AGE_COLS 5
#define AGE_MS	 5000 /* how long a picture with ages is valid */

/* In the order of enum word. */
static const enum look looks[WORD_COUNT] = {
    LOOK_WAITING, LOOK_ERROR, LOOK_DONE,  LOOK_WORKING, LOOK_WORKING,
    LOOK_WORKING, LOOK_IDLE,  LOOK_QUIET, LOOK_QUIET,	LOOK_QUIET,
};

enum look rows_look(enum word word)
{
	return looks[word];
}

static void clear(struct rows *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->v[i].name);
		free(l->v[i].note);
		free(l->v[i].changes);
		free(l->v[i].text);
		free(l->v[i].more);
		free(l->v[i].title);
	}
	free(l->v);
	l->v = NULL;
	l->n = 0;
}

struct row *rows_add(struct rows *l, const char *key)
{
	struct row *r;

	l->v = mem_realloc(l->v, (l->n + 1) * sizeof *l->v);
	r = &l->v[l->n++];
	*r = (struct row){0};
	snprintf(r->key, sizeof r->key, "%s", key);
	return r;
}

static void choose(struct rows *l, size_t at)
{
	l->at = at < l->n ? at : l->n ? l->n - 1 : 0;
	l->key[0] = '\0';
	if (l->n)
		memcpy(l->key, l->v[l->at].key, ROW_KEY);
}

static void mark(struct rows *l)
{
	bool was = strcmp(l->marked, l->key) == 0;

	memcpy(l->marked, was ? "" : l->key, was ? 1 : ROW_KEY);
}

static void reselect(struct rows *l)
{
	size_t at = l->at;

	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->v[i].key, l->key) == 0)
			at = i;
	choose(l, at);
}

/* Returns an array of the objects that are whole lines, to be freed. */
static char *join_lines(const char *out)
{
	_buf_ struct buf all = {0};
	const char *eol;

	for (; (eol = strchr(out, '\n')); out = eol + 1) {
		buf_addc(&all, all.len ? ',' : '[');
		buf_add(&all, out, (size_t)(eol - out));
	}
	buf_adds(&all, all.len ? "]" : "[]");
	return buf_steal(&all);
}

static void rows_store(void *owner, const struct job_result *r)
{
	struct rows *l = owner;
	_free_ char *joined = l->kind->searches ? join_lines(r->out) : NULL;
	_free_ char *text =
	    mem_printf("{\"all\":%s}", joined ? joined : r->out);
	bool none = joined && r->exit_code == 1 && !*r->err;
	const cJSON *all, *one;

	free(l->why);
	clear(l);
	cJSON_Delete(l->all);
	l->all = r->exit_code && !none
		     ? NULL
		     : json_parse_object(text, strlen(text), NULL);
	l->why = l->all ? NULL : job_reason(r);
	all = json_get(l->all, "all");
	if (l->kind->member)
		all = json_get(all, l->kind->member);
	cJSON_ArrayForEach (one, all)
		l->kind->add(l, one);
	reselect(l);
}

static void rows_words(void *owner, struct strv *words)
{
	const struct rows *l = owner;

	for (const char *const *w = l->kind->words; *w; w++)
		strv_add(words, *w);
	for (size_t i = 0; i < l->ids.n; i++)
		if (l->kind->searches ||
		    roster_by_id(&l->t->roster, l->ids.v[i]))
			strv_add(words, l->ids.v[i]);
}

static uint64_t version(const struct rows *l)
{
	return l->kind->version(l->t) * 31 + l->t->done;
}

static void rows_changed(struct tui *t, struct view *v)
{
	struct rows *l = (struct rows *)v;
	uint64_t now = version(l);

	(void)t;
	if (l->held)
		return;
	if (now != l->version)
		refresh_soon(&l->list);
	l->version = now;
}

/* Where the columns are; their widths are those of the widest cells. */
struct layout {
	int names, notes, ages, changes;
};

static void widen(int *width, const char *text, int most)
{
	int w = paint_width(text);

	if (w > *width)
		*width = w < most ? w : most;
}

static struct layout lay_out(const struct rows *l, int cols)
{
	const char *const *titles = l->kind->titles;
	struct layout at = {4, paint_width(titles[0]),
			    titles[1] ? AGE_COLS - 1 : 0,
			    paint_width(titles[2])};

	for (size_t i = 0; i < l->n; i++) {
		widen(&at.names, l->v[i].name, cols / 3);
		widen(&at.notes, l->v[i].note, cols / 4);
		widen(&at.changes, l->v[i].changes, cols / 4);
	}
	return at;
}

/* Draws name, note, time, changes and text; st NULL: each in its own look. */
static void draw_cells(const struct layout *at, int row, const struct rect *r,
		       const char *const cells[5], enum look note,
		       const struct style *st)
{
	int widths[] = {at->names, at->notes, at->ages, at->changes, r->cols};
	int col = r->col + 2, end = r->col + r->cols;

	for (int i = 0; i < 5 && col < end; i++) {
		struct style own = paint_style(i == 1 ? note : LOOK_PLAIN);
		int cols = widths[i] < end - col ? widths[i] : end - col;

		if (!cols)
			continue;
		if (i == 3)
			paint_changes(row, col, cols, cells[i], st);
		else
			paint_text(row, col, cols, cells[i], st ? *st : own);
		col += cols + 2;
	}
}

static void draw_row(const struct layout *at, const struct row *w, int row,
		     const struct rect *r, bool chosen, bool marked)
{
	static const struct style reverse = {.attrs = SCREEN_REVERSE};
	int64_t age = clock_wall_ms() - w->since;
	char old[24];
	const char *const cells[] = {w->name, w->note, old,
				     w->changes ? w->changes : "", w->text};

	clock_age(age > 0 ? age : 0, old, sizeof old);
	if (chosen)
		paint_fill(row, r->col, r->cols, reverse);
	paint_text(row, r->col, 2,
		   marked   ? "+ "
		   : chosen ? "> "
			    : "  ",
		   chosen ? reverse : (struct style){0});
	draw_cells(at, row, r, cells, w->look, chosen ? &reverse : NULL);
}

static void draw_titles(const struct rows *l, const struct layout *at,
			const struct rect *r)
{
	const char *const *t = l->kind->titles;
	const char *const cells[] = {"NAME", t[0], t[1], t[2], t[3]};
	struct style st = paint_style(LOOK_HEADING);

	paint_heading(r, LOOK_STRONG, "%s", l->kind->heading);
	draw_cells(at, r->row + 1, r, cells, LOOK_HEADING, &st);
}

static void draw_text(const struct row *w, const struct rect *r)
{
	struct rect in = {r->row + 1, r->col, r->rows - 1, r->cols};

	paint_heading(r, LOOK_STRONG, "%s", w->title);
	paint_wrapped(&in, w->more ? w->more : w->text, LOOK_PLAIN);
}

static void rows_draw(struct tui *t, struct view *v, const struct rect *r)
{
	struct rows *l = (struct rows *)v;
	struct layout at = lay_out(l, r->cols);
	int shown = (r->rows - 1) / 2;
	struct rect text = *r;

	if (!l->n) {
		paint_heading(r, LOOK_STRONG, "%s", l->kind->heading);
		paint_look(r->row + 1, r->col + 2, r->cols - 4,
			   l->why   ? l->why
			   : l->all ? l->kind->nothing
				    : "reading",
			   LOOK_PLAIN);
		return;
	}
	if (l->n < (size_t)shown)
		shown = (int)l->n;
	l->top = layout_scroll(l->top, l->at, l->n, (size_t)shown);
	l->row = r->row + 2;
	l->shown = shown;
	draw_titles(l, &at, r);
	for (int i = 0; i < shown && l->top + (size_t)i < l->n; i++) {
		const struct row *w = &l->v[l->top + (size_t)i];

		draw_row(&at, w, l->row + i, r, w == &l->v[l->at],
			 strcmp(w->key, l->marked) == 0);
	}
	tui_lasts(t, AGE_MS);
	text.row = l->row + shown;
	text.rows -= text.row - r->row;
	draw_text(&l->v[l->at], &text);
}

/* Without rows, only those keys work that no row is needed for. */
static bool rows_works(const struct tui *t, const struct view *v,
		       const char *key)
{
	const struct rows *l = (const struct rows *)v;

	(void)t;
	if (strcmp(key, "{quit}") == 0)
		return true;
	return l->n && (!l->kind->works || l->kind->works(l, key));
}

const struct row *rows_chosen(const struct view *v)
{
	const struct rows *l = (const struct rows *)v;

	return &l->v[l->at];
}

void rows_read(struct tui *t, struct view *v, uint32_t pressed)
{
	const struct row *w = rows_chosen(v);

	(void)pressed;
	view_push(t, pager_view(w->title, w->more ? w->more : w->text, false));
}

static void rows_key(struct tui *t, struct view *v, struct key k)
{
	struct rows *l = (struct rows *)v;
	bool next = k.kind == KEY_KIND_CHAR && k.cp == 'n';
	enum act act = next ? ACT_DOWN : keys_act(k);

	if (key_is_cancel(k) || act == ACT_QUIT || act == l->kind->act)
		view_pop(t);
	else if (act == ACT_DOWN)
		choose(l, l->at + 1);
	else if (act == ACT_UP)
		choose(l, l->at - (l->at > 0));
	else if (act == ACT_FIRST || act == ACT_LAST)
		choose(l, act == ACT_LAST ? l->n : 0);
	else if (act == ACT_MARK && l->kind->marks)
		mark(l);
	else if (act == ACT_MARK && l->kind->choose && l->n)
		l->kind->choose(l, &l->v[l->at]);
	else if (l->n)
		view_run_key(t, v, k);
}

/* A click chooses, the wheel moves the choice, a double click is Enter. */
static void rows_mouse(struct tui *t, struct view *v, const struct mouse *m)
{
	struct rows *l = (struct rows *)v;
	size_t at = l->top + (size_t)(m->row - l->row);

	if (mouse_wheel(m) && (l->at || m->what == MOUSE_DOWN))
		choose(l, l->at + (size_t)mouse_wheel(m));
	if (m->row < l->row || m->row >= l->row + l->shown || at >= l->n)
		return;
	if (m->what == MOUSE_PRESS) {
		l->pressed = at == l->at;
		choose(l, at);
	} else if (m->what == MOUSE_DOUBLE && l->pressed && at == l->at) {
		rows_key(t, v, (struct key){KEY_KIND_CHAR, '\r'});
	}
}

static void rows_destroy(struct view *v)
{
	struct rows *l = (struct rows *)v;

	refresh_finish(&l->list);
	clear(l);
	cJSON_Delete(l->all);
	free(l->why);
	strv_finish(&l->ids);
	strv_finish(&l->off);
	free(l->dir);
	free(l);
}

static const struct view_ops ops = {
    .covers = true,
    .has_help = true,
    .draw = rows_draw,
    .key = rows_key,
    .mouse = rows_mouse,
    .changed = rows_changed,
    .works = rows_works,
    .destroy = rows_destroy,
};

struct rows *rows_top(const struct tui *t, const struct rows_kind *kind)
{
	struct rows *l = (struct rows *)t->view;

	return t->view->ops == &ops && l->kind == kind ? l : NULL;
}

static struct view *make(struct tui *t, const struct rows_kind *kind,
			 struct strv ids, const char *dir)
{
	struct rows *l = mem_alloc(sizeof *l);

	l->ids = ids;
	l->dir = mem_strdup(dir);
	l->view.ops = &ops;
	l->view.keys = kind->keys;
	l->kind = kind;
	l->t = t;
	l->version = version(l);
	l->list = (struct refresh){.owner = l,
				   .dir = l->dir,
				   .words = rows_words,
				   .store = rows_store,
				   .timeout_ms = 60000};
	refresh_create(&l->list, t);
	refresh_now(&l->list);
	return &l->view;
}

struct view *rows_view(struct tui *t, const struct rows_kind *kind)
{
	return make(t, kind, (struct strv){0}, NULL);
}

struct view *rows_view_of(struct tui *t, const struct rows_kind *kind,
			  struct strv ids)
{
	return make(t, kind, ids, NULL);
}

struct view *rows_view_in(struct tui *t, const struct rows_kind *kind,
			  const char *dir)
{
	return make(t, kind, (struct strv){0}, dir);
}
