/*
 * diff_view.c - what a session has changed: a table of its files, from which
 * Enter goes to the lines of one, and the diff below it. One line is chosen;
 * the editor opens its file there.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tui/actions/action.h"
#include "tui/actions/command.h"
#include "tui/actions/comment.h"
#include "tui/child/refresh.h"
#include "tui/term/keys.h"
#include "tui/term/mouse.h"
#include "tui/tui.h"
#include "tui/widgets/diff_files.h"
#include "tui/widgets/search.h"

struct diff {
	struct view view;
	char id[SPEC_ID_LEN + 1];
	char *title, *text;
	struct scroll scroll;
	bool whole;
	size_t side, shown; /* of diff_sides; shown: of the text */
	/* It is read again for another side, and after each command, as that
	 * may have stored a comment. Only if whole. */
	struct refresh again;
	unsigned done;
};

static void set_text(struct diff *d, const char *text)
{
	struct scroll was = d->scroll;
	bool same = was.text && d->shown == d->side;

	free(d->text);
	d->text = mem_strdup(text);
	if (!same) {
		scroll_finish(&d->scroll);
		d->scroll = (struct scroll){
		    .kind = SCROLL_DIFF, .chooses = true, .page = was.page};
	}
	d->shown = d->side;
	diff_files_set(&d->scroll, "", text, true);
}

static void diff_words(void *owner, struct strv *words)
{
	const struct diff *d = owner;

	strv_add(words, "diff");
	strv_add(words, "--comments");
	if (diff_sides[d->side].option)
		strv_add(words, diff_sides[d->side].option);
	strv_add(words, d->id);
}

static void diff_store(void *owner, const struct job_result *r)
{
	_free_ char *why = r->exit_code ? job_reason(r) : NULL;
	struct diff *d = owner;

	set_text(d, why		 ? why
		    : r->out_len ? r->out
				 : diff_sides[d->side].nothing);
}

static void diff_changed(struct tui *t, struct view *v)
{
	struct diff *d = (struct diff *)v;

	if (d->whole && d->done != t->done)
		refresh_soon(&d->again);
	d->done = t->done;
}

static void diff_draw(struct tui *t, struct view *v, const struct rect *r)
{
	struct diff *d = (struct diff *)v;
	_free_ char *title =
	    mem_printf("%s%s%s", d->title, d->side ? ": " : "",
		       d->side ? diff_sides[d->side].name : "");

	(void)t;
	scroll_draw_titled(&d->scroll, title, r);
}

static struct scroll *diff_text(const struct tui *t, const struct view *v)
{
	(void)t;
	return &((struct diff *)v)->scroll;
}

/* -- the keys -------------------------------------------------------------- */

static bool diff_works(const struct tui *t, const struct view *v,
		       const char *key)
{
	const struct diff *d = (const struct diff *)v;
	bool on_row = diff_files_chosen(&d->scroll) >= 0;

	(void)t;
	switch (*key) {
	case 'E':
		return on_row;
	case 'f':
		return d->scroll.files && !on_row;
	case 'b':
		return d->whole;
	case 'c':
	case 'v':
	case 's':
	case 'x':
		return d->whole && d->scroll.files;
	default:
		return strcmp(key, "{edit}") != 0 || d->scroll.files;
	}
}

void diff_view_go(struct view *v, size_t file)
{
	struct diff *d = (struct diff *)v;

	scroll_go(&d->scroll, diff_files_above(&d->scroll) +
				  diff_files_start(d->text, file));
}

static void go_to_file(struct tui *t, struct view *v, uint32_t pressed)
{
	struct diff *d = (struct diff *)v;
	long file = diff_files_chosen(&d->scroll);

	(void)t;
	(void)pressed;
	if (file >= 0)
		diff_view_go(v, (size_t)file);
	else
		scroll_by(&d->scroll, 1);
}

static void go_to_table(struct tui *t, struct view *v, uint32_t pressed)
{
	struct scroll *s = diff_text(t, v);

	(void)pressed;
	scroll_go(s, 0);
	if (s->files)
		scroll_choose(s, s->files_at);
}

static void show_next_side(struct tui *t, struct view *v, uint32_t pressed)
{
	struct diff *d = (struct diff *)v;

	(void)t;
	(void)pressed;
	if (!d->whole)
		return;
	d->side = (d->side + 1) % DIFF_SIDES;
	refresh_now(&d->again);
}

static void comment(struct tui *t, struct view *v, uint32_t pressed)
{
	struct diff *d = (struct diff *)v;

	if (d->whole)
		comment_press(t, d->id, d->text, &d->scroll, pressed);
}

/* Opens the file of the chosen line there. */
static void edit(struct tui *t, struct diff *d)
{
	const struct session *s = roster_by_id(&t->roster, d->id);
	size_t above = diff_files_above(&d->scroll), line = 0;
	long file = diff_files_chosen(&d->scroll);
	_buf_ struct buf name = {0};

	if (file >= 0)
		line = diff_files_start(d->text, (size_t)file);
	else if (d->scroll.chosen > above)
		line = d->scroll.chosen - above;
	line = diff_files_place(d->text, line, &name);
	if (!s || !name.len)
		tui_set_message(t, LOOK_PLAIN, "there is no file to open");
	else if (!line)
		tui_set_message(t, LOOK_PLAIN, "%s is deleted", name.data);
	else
		action_edit_at(t, s, name.data, line);
}

static void diff_key(struct tui *t, struct view *v, struct key k)
{
	struct diff *d = (struct diff *)v;
	enum act act = keys_act(k);

	if (key_is_cancel(k) || act == ACT_QUIT || act == ACT_DIFF)
		view_pop(t);
	else if (act == ACT_EDIT)
		edit(t, d);
	else if (!search_key(t, v, k) && !view_run_key(t, v, k))
		scroll_key(&d->scroll, k);
}

static void diff_mouse(struct tui *t, struct view *v, const struct mouse *m)
{
	struct scroll *s = diff_text(t, v);

	scroll_by(s, MOUSE_ROWS * mouse_wheel(m));
	if (m->what == MOUSE_PRESS && m->row >= s->row)
		scroll_choose(s, s->top + (size_t)(m->row - s->row));
}

static void diff_destroy(struct view *v)
{
	struct diff *d = (struct diff *)v;

	if (d->whole)
		refresh_finish(&d->again);
	scroll_finish(&d->scroll);
	free(d->title);
	free(d->text);
	free(d);
}

static const struct view_key keys[] = {
    {"Reading a diff", NULL, NULL, NULL},
    {"{quit}", "back", NULL, NULL},
    {"Enter", "to its lines", "go to the lines of the chosen file", go_to_file},
    {"f", "files", "go back to the files", go_to_table},
    {"{edit}", "edit", "open the file at this line in your editor", NULL},
    {"b", "other base",
     "what its last turn has changed, what is not committed, what is staged",
     show_next_side},
    {"{down}/{up}", "", "a line down, up", NULL},
    {"{mark}", "page", "a page down", NULL},
    {"{first}/{last}", "", "first line, last line", NULL},
    {"Left/Right", "", "shift lines that are too long", NULL},
    {"[ ] { }", "", "by hunks, by files", NULL},
    SEARCH_KEYS,
    COMMENT_KEYS(comment),
    {0},
};

static const struct view_ops ops = {
    .covers = true,
    .has_help = true,
    .draw = diff_draw,
    .key = diff_key,
    .mouse = diff_mouse,
    .changed = diff_changed,
    .works = diff_works,
    .keys = keys,
    .text = diff_text,
    .destroy = diff_destroy,
};

struct view *diff_view(struct tui *t, const struct session *s,
		       const char *title, const char *diff, bool whole)
{
	struct diff *d = mem_alloc(sizeof *d);

	d->view.ops = &ops;
	memcpy(d->id, s->spec.id, sizeof d->id);
	d->title = mem_strdup(title);
	d->whole = whole;
	d->done = t->done;
	d->again = (struct refresh){.owner = d,
				    .words = diff_words,
				    .store = diff_store,
				    .timeout_ms = 60000};
	if (whole)
		refresh_create(&d->again, t);
	set_text(d, diff);
	return &d->view;
}

/* -- what asks for it ---------------------------------------------------------
 */

static void on_diff(struct tui *t, struct command *c,
		    const struct job_result *r)
{
	const struct session *s = roster_by_id(&t->roster, c->id);
	bool whole = !strv_has(&c->words, "--from");

	if (r->exit_code != 0) {
		command_report(t, c, r, NULL);
	} else if (!r->out_len) {
		tui_set_message(t, LOOK_PLAIN, "nothing has changed");
	} else if (s && command_is_awaited(t, c)) {
		tui_set_message(t, LOOK_PLAIN, "%s", "");
		view_push(t, diff_view(t, s, c->doing, r->out, whole));
	}
}

void action_diff(struct tui *t, const struct session *s)
{
	struct command *c =
	    command_create(mem_printf("what %s has changed", s->spec.name),
			   s->spec.id, "diff", "--comments", s->spec.id, NULL);

	c->done = on_diff;
	c->reads = true;
	command_run(t, c);
}

void action_diff_between(struct tui *t, const struct session *s, int64_t from,
			 int64_t to)
{
	struct command *c = command_create(
	    to ? mem_printf("what changed in %s from checkpoint %" PRId64
			    " to %" PRId64,
			    s->spec.name, from, to)
	       : mem_printf("what has changed in %s since checkpoint %" PRId64,
			    s->spec.name, from),
	    s->spec.id, "diff", "--from", NULL);

	strv_addf(&c->words, "%" PRId64, from);
	if (to)
		strv_addf(&c->words, "--to=%" PRId64, to);
	strv_add(&c->words, s->spec.id);
	c->done = on_diff;
	c->reads = true;
	command_run(t, c);
}
