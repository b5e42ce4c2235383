/* listing.c - rows, of what a child has printed or the sessions say. */
#include "tui/listing.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"

#define CHILD_MS 60000

static void take(struct listing *l, const struct job_result *r)
{
	char *text = mem_printf("{\"all\":%s}", r->out);
	cJSON *o = r->exit_code == 0
		       ? json_parse_object(text, strlen(text), NULL)
		       : NULL;
	const cJSON *one;

	free(text);
	free(l->why);
	l->why = o ? NULL : job_reason(r);
	rows_clear(&l->rows);
	cJSON_Delete(l->all);
	l->all = o;
	cJSON_ArrayForEach (one, cJSON_GetObjectItemCaseSensitive(o, "all"))
		l->kind->add(l, one);
	rows_settle(&l->rows);
}

static void read_again(struct listing *l);

static void on_read(void *ctx, void *arg, const struct job_result *r)
{
	struct listing *l = arg;

	l->reading = false;
	take(l, r);
	if (l->again)
		read_again(l);
	tui_on_feed(ctx); /* there is something new to draw */
}

static void read_again(struct listing *l)
{
	struct strv argv = {0};
	struct job_request rq = {.reads = true,
				 .timeout_ms = CHILD_MS,
				 .done = on_read,
				 .arg = l};
	struct err err;

	if (l->kind->fill) {
		rows_clear(&l->rows);
		l->kind->fill(l);
		rows_settle(&l->rows);
		return;
	}
	l->again = l->reading;
	if (l->reading)
		return;
	strv_add(&argv, l->t->afw);
	for (const char *const *w = l->kind->words; *w; w++)
		strv_add(&argv, *w);
	rq.argv = argv.v;
	l->reading = jobs_start(l->t->jobs, &rq, &err) == 0;
	if (!l->reading)
		tui_say(l->t, LOOK_ERROR, "%s", err.what);
	strv_finish(&argv);
}

static uint64_t moment(const struct listing *l)
{
	return l->kind->moment ? l->kind->moment(l->t) * 31 + l->t->done : 0;
}

static void listing_changed(struct tui *t, struct view *v)
{
	struct listing *l = (struct listing *)v;
	uint64_t now = moment(l);

	(void)t;
	if (now != l->moment || l->kind->fill)
		read_again(l);
	l->moment = now;
}

static void listing_draw(struct tui *t, struct view *v, const struct rect *r)
{
	struct listing *l = (struct listing *)v;

	rows_draw(t, &l->rows, r,
		  l->why			 ? l->why
		  : l->all || l->kind->fill ? l->kind->nothing
					    : "reading");
}

static void listing_key(struct tui *t, struct view *v, struct key k)
{
	struct listing *l = (struct listing *)v;
	const struct row_text *w = rows_chosen(&l->rows);
	enum act act = keys_act(k);

	if (key_is_cancel(k) || act == ACT_QUIT || act == l->kind->act)
		view_pop(t);
	else if (rows_key(&l->rows, k) || !w || k.kind != KEY_KIND_CHAR)
		return;
	else if (k.cp == 'v')
		view_push(t, pager_view(w->title, w->text, false));
	else
		l->kind->act_on(l, w, k.cp);
}

static void listing_mouse(struct tui *t, struct view *v, const struct mouse *m)
{
	struct listing *l = (struct listing *)v;

	if (rows_mouse(&l->rows, m))
		listing_key(t, v, (struct key){KEY_KIND_CHAR, '\r'});
}

static void listing_destroy(struct view *v)
{
	struct listing *l = (struct listing *)v;

	if (l->reading)
		jobs_drop(l->t->jobs, l);
	rows_clear(&l->rows);
	cJSON_Delete(l->all);
	free(l->why);
	free(l);
}

static void listing_footer(struct tui *t, struct view *v, const struct rect *r)
{
	(void)t;
	tui_draw_hints(r, ((struct listing *)v)->kind->hints);
}

static const struct view_ops ops = {
    .covers = true,
    .has_help = true,
    .draw = listing_draw,
    .key = listing_key,
    .mouse = listing_mouse,
    .changed = listing_changed,
    .footer = listing_footer,
    .destroy = listing_destroy,
};

struct view *listing_view(struct tui *t, const struct listing_kind *kind)
{
	struct listing *l = mem_alloc(sizeof *l);

	l->view.ops = &ops;
	l->kind = kind;
	l->t = t;
	l->moment = moment(l);
	read_again(l);
	return &l->view;
}
