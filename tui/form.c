/*
 * form.c - a new session, asked for in one box.
 *
 * The harnesses to choose from are those that are installed, those that the
 * user's configuration adds, and any command line. What was typed is kept
 * until a session came of it.
 */
#include <curses.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "tui/harness.h"
#include "tui/text_field.h"
#include "tui/tui.h"
#include "wire/protocol.h"

#define TASK_ROWS 8

enum field {
	FIELD_NAME,
	FIELD_HARNESS,
	FIELD_COMMAND,
	FIELD_BASE,
	FIELD_TASK,
	FIELD_COUNT,
};

static const struct {
	const char *label, *help;
} fields[FIELD_COUNT] = {
    [FIELD_NAME] = {"Name", "letters, digits, '.', '_', '-'; also the "
			    "branch's name: af/NAME"},
    [FIELD_HARNESS] = {"Agent", "Left and Right choose"},
    [FIELD_COMMAND] = {"Command",
		       "the command line to run; quotes keep words together"},
    [FIELD_BASE] = {"Base", "branch or commit to start from; empty: the "
			    "current one"},
    [FIELD_TASK] = {"Task", "the first message; may be empty; Ctrl-J begins "
			    "a new line"},
};

struct form {
	struct view view;
	struct text text[FIELD_COUNT];
	struct harnesses choices;
	size_t choice;
	enum field field;
};

static bool takes_command(const struct form *f)
{
	return strcmp(f->choices.v[f->choice].name, "generic") == 0;
}

static bool is_shown(const struct form *f, enum field field)
{
	return field != FIELD_COMMAND || takes_command(f);
}

static void move_to(struct form *f, int by)
{
	int to = (int)f->field;

	do
		to = (to + by + FIELD_COUNT) % FIELD_COUNT;
	while (!is_shown(f, (enum field)to));
	f->field = (enum field)to;
}

static int choice_width(const struct form *f, size_t i)
{
	return paint_width(f->choices.v[i].title) + 2;
}

/* The first to show so that the chosen one is seen. */
static size_t first_choice(const struct form *f, int cols)
{
	size_t first = f->choice;
	int used = choice_width(f, first);

	while (first > 0 && used + choice_width(f, first - 1) <= cols)
		used += choice_width(f, --first);
	return first;
}

static void draw_choice(const struct form *f, const struct rect *r)
{
	int col = r->col, end = r->col + r->cols;

	for (size_t i = first_choice(f, r->cols); i < f->choices.n; i++) {
		bool chosen = i == f->choice;
		struct style st =
		    paint_style(chosen ? LOOK_STRONG : LOOK_QUIET);
		char *text =
		    mem_printf(chosen ? "[%s]" : " %s ", f->choices.v[i].title);

		if (chosen && f->field == FIELD_HARNESS)
			st.attrs |= SCREEN_REVERSE;
		if (col < end)
			col += paint_text(r->row, col, end - col, text, st);
		free(text);
	}
}

/* Where something can be written. */
static const struct style blank = {.attrs = SCREEN_UNDERLINE};

static void draw_blanks(const struct rect *r)
{
	for (int i = 0; i < r->rows; i++)
		paint_fill(r->row + i, r->col, r->cols, blank);
}

/* Draws one field into r. */
static void draw_field(struct tui *t, struct form *f, enum field field,
		       const struct rect *r)
{
	int row, col;

	if (field == FIELD_HARNESS) {
		draw_choice(f, r);
		return;
	}
	draw_blanks(r);
	text_draw(&f->text[field], r, blank, &row, &col);
	if (f->field == field)
		tui_cursor(t, row, col);
}

static void form_draw(struct tui *t, struct view *v, const struct rect *body)
{
	struct form *f = (struct form *)v;
	const char *slash = t->repository ? strrchr(t->repository, '/') : NULL;
	struct rect r = {body->row + 2, body->col + 11, 1, body->cols - 13};
	const char *help;
	char *title =
	    mem_printf(" new session in %s ", slash ? slash + 1 : "?");

	paint_line(body->row, body->col, body->cols);
	paint_look(body->row, body->col + 2, body->cols - 4, title,
		   LOOK_STRONG);
	free(title);
	for (int i = 0; i < FIELD_COUNT; i++) {
		enum field field = (enum field)i;

		if (!is_shown(f, field))
			continue;
		if (field == FIELD_TASK)
			r.rows = body->row + body->rows - r.row - 2;
		if (r.rows > TASK_ROWS)
			r.rows = TASK_ROWS;
		if (r.rows < 1)
			break;
		paint_look(r.row, body->col + 2, 9, fields[i].label,
			   f->field == field ? LOOK_KEY : LOOK_PLAIN);
		draw_field(t, f, field, &r);
		r.row += body->rows < 14 ? 1 : 2;
	}
	help = fields[f->field].help;
	if (f->field == FIELD_HARNESS && f->choices.n == 1)
		help = "no agent that afw knows is installed: see afw adapters";
	paint_look(body->row + body->rows - 1, body->col + 2, body->cols - 4,
		   help, LOOK_QUIET);
}

static char *copy_of(const struct form *f, enum field field)
{
	return mem_strdup(text_get(&f->text[field]));
}

/* What was typed; the choice is also the next form's. */
static struct draft *draft_of(struct tui *t, const struct form *f)
{
	struct draft *d = draft_create("", text_get(&f->text[FIELD_TASK]));

	d->name = copy_of(f, FIELD_NAME);
	d->command = copy_of(f, FIELD_COMMAND);
	d->base = copy_of(f, FIELD_BASE);
	d->harness = mem_strdup(f->choices.v[f->choice].name);
	free(t->new_harness);
	free(t->new_command);
	t->new_harness = mem_strdup(d->harness);
	t->new_command = mem_strdup(d->command);
	return d;
}

static void submit(struct tui *t, struct form *f)
{
	struct draft *d;
	struct err err;

	if (!*text_get(&f->text[FIELD_NAME])) {
		f->field = FIELD_NAME;
		tui_say(t, LOOK_ERROR, "the session needs a name");
		return;
	}
	if (name_check(text_get(&f->text[FIELD_NAME]), &err) < 0) {
		f->field = FIELD_NAME;
		tui_say(t, LOOK_ERROR, "%s", err.what);
		return;
	}
	if (takes_command(f) && !*text_get(&f->text[FIELD_COMMAND])) {
		f->field = FIELD_COMMAND;
		tui_say(t, LOOK_ERROR, "which command is to be run?");
		return;
	}
	d = draft_of(t, f);
	view_pop(t);
	action_new(t, d);
}

static bool moves(struct form *f, struct key k)
{
	bool named = k.kind == KEY_KIND_NAMED, task = f->field == FIELD_TASK;
	/* Out of the task upwards, from its first place. */
	bool up = named &&
		  (k.cp == KEY_BTAB ||
		   (k.cp == KEY_UP && (!task || f->text[FIELD_TASK].at == 0)));
	bool down = (k.kind == KEY_KIND_CHAR && k.cp == '\t') ||
		    (named && k.cp == KEY_DOWN && !task);

	if (up || down)
		move_to(f, up ? -1 : 1);
	return up || down;
}

static void choose(struct form *f, struct key k)
{
	bool right = (k.kind == KEY_KIND_NAMED && k.cp == KEY_RIGHT) ||
		     (k.kind == KEY_KIND_CHAR && k.cp == ' ');
	bool left = k.kind == KEY_KIND_NAMED && k.cp == KEY_LEFT;

	if (right)
		f->choice = (f->choice + 1) % f->choices.n;
	if (left)
		f->choice = (f->choice + f->choices.n - 1) % f->choices.n;
}

static void form_key(struct tui *t, struct view *v, struct key k)
{
	struct form *f = (struct form *)v;

	if (key_is_cancel(k)) {
		drafts_keep(&t->drafts, draft_of(t, f));
		view_pop(t);
	} else if (k.kind == KEY_KIND_CHAR && k.cp == '\r') {
		submit(t, f);
	} else if (moves(f, k)) {
		return;
	} else if (f->field == FIELD_HARNESS) {
		choose(f, k);
	} else {
		text_key(&f->text[f->field], k);
	}
}

static void form_destroy(struct view *v)
{
	struct form *f = (struct form *)v;

	for (int i = 0; i < FIELD_COUNT; i++)
		text_finish(&f->text[i]);
	harnesses_finish(&f->choices);
	free(f);
}

static const struct hint hints[] = {
    {"Enter", "start"},
    {"Tab", "next field"},
    {"Esc", "back (the text is kept)"},
    {NULL, NULL},
};

static const struct view_ops form_ops = {
    .covers = true,
    .draw = form_draw,
    .key = form_key,
    .hints = hints,
    .destroy = form_destroy,
};

struct view *form_view(struct tui *t)
{
	struct form *f = mem_alloc(sizeof *f);
	struct draft *d = drafts_take(&t->drafts, "");
	const char *wanted = d		      ? d->harness
			     : t->new_harness ? t->new_harness
					      : t->harness;

	f->view.ops = &form_ops;
	harnesses_load(&f->choices, t->repository);
	/* The last choice, else what the configuration says. */
	for (size_t i = 0; wanted && i < f->choices.n; i++)
		if (strcmp(f->choices.v[i].name, wanted) == 0)
			f->choice = i;
	f->text[FIELD_TASK].many = true;
	f->text[FIELD_TASK].max = PROTOCOL_TEXT_MAX;
	text_set(&f->text[FIELD_NAME], d ? d->name : NULL);
	text_set(&f->text[FIELD_COMMAND], d ? d->command : t->new_command);
	text_set(&f->text[FIELD_BASE], d ? d->base : NULL);
	text_set(&f->text[FIELD_TASK], d ? d->text : NULL);
	draft_destroy(d);
	return &f->view;
}
