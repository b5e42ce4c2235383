/*
 * form.c - a form for a new session.
 *
 * The choices, and what else the session gets, are read for the repository that
 * is named (plan.c). The typed text is kept until the session exists.
 */
#include <curses.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/name.h"
#include "session/typable.h"
#include "tui/actions/action.h"
#include "tui/tui.h"
#include "tui/views/plan.h"
#include "tui/widgets/text_field.h"
#include "wire/protocol.h"

#define TASK_ROWS 8
#define PLAN_ROWS 4

enum form_field {
	FORM_REPOSITORY,
	FORM_NAME,
	FORM_HARNESS,
	FORM_COMMAND,
	FORM_BASE,
	FORM_FROM,
	FORM_TEMPLATE,
	FORM_TASK,
	FORM_COUNT,
};

static const struct {
	const char *label, *help;
} fields[FORM_COUNT] = {
    [FORM_REPOSITORY] = {"In", "a path; PgUp and PgDn: the repositories that "
			       "have sessions"},
    [FORM_NAME] = {"Name", "letters, digits, '.', '_', '-'; the branch is "
			   "af/NAME; empty: from the task"},
    [FORM_HARNESS] = {"Agent", "Left and Right choose"},
    [FORM_COMMAND] = {"Command",
		      "the command line to run; quotes keep words together"},
    [FORM_BASE] = {"Base", "branch or commit to start from; empty: the "
			   "current one"},
    [FORM_FROM] = {"From", "a session, or NAME@N: as in its checkpoint N; also "
			   "what is not committed"},
    [FORM_TEMPLATE] = {"Template", "a role's blueprint; Left and Right "
				   "choose"},
    [FORM_TASK] = {"Task", "the first message; may be empty; Ctrl-J begins "
			   "a new line"},
};

struct form {
	struct view view;
	struct text text[FORM_COUNT];
	struct plan plan;
	struct strv known; /* repositories, for PgUp and PgDn */
	enum form_field field;
	bool from;     /* it begins with what another session has */
	unsigned done; /* t->done, when the plan was read */
};

static bool takes_command(const struct form *f)
{
	return strcmp(choice_name(&f->plan.harness), "generic") == 0;
}

/* Returns the field's choice; NULL: text is typed in it. */
static struct choice *choice_of(struct form *f, enum form_field field)
{
	return field == FORM_HARNESS	? &f->plan.harness
	       : field == FORM_TEMPLATE ? &f->plan.template
					: NULL;
}

static void read_plan(struct form *f)
{
	plan_read(&f->plan, text_get(&f->text[FORM_REPOSITORY]));
}

static bool is_shown(const struct form *f, enum form_field field)
{
	if (field == FORM_FROM || field == FORM_BASE)
		return f->from == (field == FORM_FROM);
	return field != FORM_COMMAND || takes_command(f);
}

static void move_to(struct form *f, int by)
{
	int to = (int)f->field;

	if (f->field == FORM_REPOSITORY)
		read_plan(f);
	do
		to = (to + by + FORM_COUNT) % FORM_COUNT;
	while (!is_shown(f, (enum form_field)to));
	f->field = (enum form_field)to;
}

static int choice_width(const struct choice *c, size_t i)
{
	return paint_width(c->v[i].title) + 2;
}

/* Returns the first choice to show, so that the chosen one is seen. */
static size_t first_choice(const struct choice *c, int cols)
{
	size_t first = c->at;
	int used = choice_width(c, first);

	while (first > 0 && used + choice_width(c, first - 1) <= cols)
		used += choice_width(c, --first);
	return first;
}

static void draw_choice(const struct choice *c, bool here, const struct rect *r)
{
	int col = r->col, end = r->col + r->cols;

	for (size_t i = first_choice(c, r->cols); i < c->n; i++) {
		bool chosen = i == c->at;
		struct style st =
		    paint_style(chosen ? LOOK_STRONG : LOOK_QUIET);
		_free_ char *text =
		    mem_printf(chosen ? "[%s]" : " %s ", c->v[i].title);

		if (chosen && here)
			st.attrs |= SCREEN_REVERSE;
		if (col < end)
			col += paint_text(r->row, col, end - col, text, st);
	}
}

/* Marks where text can be typed. */
static const struct style blank = {.attrs = SCREEN_UNDERLINE};

/* Draws one field into r. */
static void draw_field(struct tui *t, struct form *f, enum form_field field,
		       const struct rect *r)
{
	int row, col;

	if (choice_of(f, field)) {
		draw_choice(choice_of(f, field), f->field == field, r);
		return;
	}
	for (int i = 0; i < r->rows; i++)
		paint_fill(r->row + i, r->col, r->cols, blank);
	text_draw(&f->text[field], r, blank, &row, &col);
	if (f->field == field)
		tui_cursor(t, row, col);
}

/* Draws what else it gets, in the rows that are left. */
static void draw_plan(const struct form *f, const struct rect *body, int row)
{
	const struct plan *p = &f->plan;
	struct rect r = {row, body->col + 2, body->row + body->rows - 2 - row,
			 body->cols - 4};

	if (p->untrusted && r.rows > 0) {
		_free_ char *text = mem_printf(
		    "%s is not trusted and not used: Ctrl-T shows it and asks",
		    p->untrusted);
		int used = paint_wrapped(&r, text, LOOK_WAITING);

		r.row += used;
		r.rows -= used;
	}
	if (r.rows > PLAN_ROWS)
		r.rows = PLAN_ROWS;
	if (r.rows > 0)
		paint_wrapped(&r, p->text,
			      p->mistaken ? LOOK_ERROR : LOOK_QUIET);
}

/* Returns how many fields to leave out, so that the one with the cursor is seen
 * in a small window. */
static int count_left_out(const struct form *f, int room)
{
	int n = -room;

	for (int i = 0; i <= (int)f->field; i++)
		n += is_shown(f, (enum form_field)i);
	return n;
}

static void form_draw(struct tui *t, struct view *v, const struct rect *body)
{
	struct form *f = (struct form *)v;
	struct rect r = {body->row + 2, body->col + 11, 1, body->cols - 13};
	int by = body->rows < 28 ? 1 : 2, end = body->row + body->rows - 2;
	int left_out = count_left_out(f, end - r.row);
	const char *in = f->plan.repository, *slash = in ? strrchr(in, '/') : 0;
	const char *help = fields[f->field].help;

	paint_heading(body, LOOK_STRONG, "new session in %s",
		      slash ? slash + 1 : "?");
	for (int i = 0; i < FORM_COUNT; i++) {
		enum form_field field = (enum form_field)i;

		if (!is_shown(f, field) || left_out-- > 0)
			continue;
		if (r.row >= end)
			break;
		if (field == FORM_TASK)
			r.rows =
			    end - r.row < TASK_ROWS ? end - r.row : TASK_ROWS;
		paint_look(r.row, body->col + 2, 9, fields[i].label,
			   f->field == field ? LOOK_KEY : LOOK_PLAIN);
		draw_field(t, f, field, &r);
		r.row += field == FORM_TASK ? r.rows + 1 : by;
	}
	draw_plan(f, body, r.row);
	if (f->field == FORM_HARNESS &&
	    strcmp(choice_name(&f->plan.harness), "demo") == 0)
		help = "no agent is installed (see afw adapters); demo is a "
		       "program that acts like one";
	paint_look(body->row + body->rows - 1, body->col + 2, body->cols - 4,
		   help, LOOK_QUIET);
}

static char *copy_of(const struct form *f, enum form_field field)
{
	return mem_strdup(text_get(&f->text[field]));
}

/* Returns the typed text as a draft; the choice is also the default of the next
 * form. */
static struct draft *draft_of(struct tui *t, const struct form *f)
{
	struct draft *d = draft_create("", text_get(&f->text[FORM_TASK]));

	d->name = copy_of(f, FORM_NAME);
	d->command = copy_of(f, FORM_COMMAND);
	d->base = copy_of(f, FORM_BASE);
	d->from = copy_of(f, FORM_FROM);
	d->harness = mem_strdup(choice_name(&f->plan.harness));
	d->template = mem_strdup(choice_name(&f->plan.template));
	d->repository = copy_of(f, FORM_REPOSITORY);
	free(t->new_harness);
	free(t->new_command);
	t->new_harness = mem_strdup(d->harness);
	t->new_command = mem_strdup(d->command);
	return d;
}

/* Checks that nothing is missing; moves the cursor to the first field that
 * is. */
static int check_form(struct form *f, struct err *err)
{
	const char *name = text_get(&f->text[FORM_NAME]),
		   *task = text_get(&f->text[FORM_TASK]);
	enum form_field was = f->field;

	f->field = FORM_REPOSITORY;
	if (!f->plan.repository)
		return err_set(err, ERR_USAGE,
			       "there is no git repository at '%s'",
			       text_get(&f->text[FORM_REPOSITORY]));
	f->field = FORM_NAME;
	/* Without one, `afw new` makes it from the task. */
	if ((*name || typable_blank(task, strlen(task))) &&
	    name_check(name, err) < 0)
		return -1;
	f->field = FORM_COMMAND;
	if (takes_command(f) && !*text_get(&f->text[FORM_COMMAND]))
		return err_set(err, ERR_USAGE, "which command is to be run?");
	f->field = was;
	return 0;
}

static void submit(struct tui *t, struct form *f)
{
	struct draft *d;
	struct err err;

	read_plan(f);
	if (check_form(f, &err) < 0) {
		tui_set_message(t, LOOK_ERROR, "%s", err.what);
		return;
	}
	text_set(&f->text[FORM_REPOSITORY], f->plan.repository);
	d = draft_of(t, f);
	action_new(t, d);
}

static bool handle_move(struct form *f, struct key k)
{
	bool named = k.kind == KEY_KIND_NAMED, task = f->field == FORM_TASK;
	/* Moves up out of the task from its first character. */
	bool up = named &&
		  (k.cp == KEY_BTAB ||
		   (k.cp == KEY_UP && (!task || f->text[FORM_TASK].at == 0)));
	bool down = (k.kind == KEY_KIND_CHAR && k.cp == '\t') ||
		    (named && k.cp == KEY_DOWN && !task);

	if (up || down)
		move_to(f, up ? -1 : 1);
	return up || down;
}

static void handle_choice(struct form *f, struct choice *c, struct key k)
{
	bool named = k.kind == KEY_KIND_NAMED;
	bool right =
	    named ? k.cp == KEY_RIGHT : k.kind == KEY_KIND_CHAR && k.cp == ' ';

	if (!right && !(named && k.cp == KEY_LEFT))
		return;
	choice_move(c, right ? 1 : -1);
	if (f->field == FORM_TEMPLATE)
		read_plan(f);
}

/* Handles PgUp and PgDn, which choose the next known repository. */
static bool handle_repository_key(struct form *f, struct key k)
{
	struct text *text = &f->text[FORM_REPOSITORY];
	bool down = k.cp == KEY_NPAGE;
	size_t n = f->known.n, at;

	if (f->field != FORM_REPOSITORY || k.kind != KEY_KIND_NAMED ||
	    (!down && k.cp != KEY_PPAGE) || !n)
		return false;
	for (at = 0; at < n; at++)
		if (strcmp(f->known.v[at], text_get(text)) == 0)
			break;
	at = at == n ? 0 : (at + n + (down ? 1 : n - 1)) % n;
	text_set(text, f->known.v[at]);
	read_plan(f);
	return true;
}

static void form_key(struct tui *t, struct view *v, struct key k)
{
	struct form *f = (struct form *)v;

	if (key_is_cancel(k)) {
		drafts_add(&t->drafts, draft_of(t, f));
		view_pop(t);
	} else if (k.kind == KEY_KIND_CHAR && k.cp == '\r') {
		submit(t, f);
	} else if (handle_move(f, k) || handle_repository_key(f, k)) {
		return;
	} else if (k.kind == KEY_KIND_CHAR && k.cp == COMPOSE_KEY) {
		f->field = FORM_TASK;
		compose_in_editor(t, &f->text[FORM_TASK]);
	} else if (k.kind == KEY_KIND_CHAR && k.cp == 'T' - '@') {
		if (f->plan.untrusted)
			action_trust(t, f->plan.repository);
	} else if (choice_of(f, f->field)) {
		handle_choice(f, choice_of(f, f->field), k);
	} else {
		text_key(&f->text[f->field], k);
	}
}

/* A command may have changed which files are trusted. */
static void form_changed(struct tui *t, struct view *v)
{
	struct form *f = (struct form *)v;

	if (f->done != t->done)
		read_plan(f);
	f->done = t->done;
}

static void form_destroy(struct view *v)
{
	struct form *f = (struct form *)v;

	for (int i = 0; i < FORM_COUNT; i++)
		text_finish(&f->text[i]);
	plan_finish(&f->plan);
	strv_finish(&f->known);
	free(f);
}

static const struct view_key keys[] = {
    {"Enter", "start", NULL, NULL},
    {"Tab", "next field", NULL, NULL},
    {"Esc", "back (the text is kept)", NULL, NULL},
    {"Ctrl-G", "the task in your editor", NULL, NULL},
    {0},
};

static const struct view_ops form_ops = {
    .covers = true,
    .holds = true,
    .draw = form_draw,
    .key = form_key,
    .changed = form_changed,
    .keys = keys,
    .destroy = form_destroy,
};

/* Collects the repositories of the sessions, and that of the current directory;
 * *first is the default. */
static void collect_repositories(struct form *f, struct tui *t,
				 const char **first)
{
	const struct session *s = roster_selected(&t->roster);

	*first = t->checkout ? t->checkout : s ? s->spec.repository : "";
	if (**first)
		strv_add(&f->known, *first);
	for (size_t i = 0; i < t->roster.list.n; i++) {
		const char *one = t->roster.list.v[i].spec.repository;

		if (one && !strv_has(&f->known, one))
			strv_add(&f->known, one);
	}
}

static void set_from(struct form *f, const struct session *s, int64_t number)
{
	_free_ char *text = mem_printf("%s@%" PRId64, s->spec.name, number);

	text_set(&f->text[FORM_FROM], text);
	text_set(&f->text[FORM_REPOSITORY], s->spec.repository);
}

struct view *form_view(struct tui *t, const struct session *from,
		       int64_t number)
{
	struct form *f = mem_alloc(sizeof *f);
	struct draft *d = drafts_pop(&t->drafts, "");
	const char *here;

	f->view.ops = &form_ops;
	f->done = t->done;
	collect_repositories(f, t, &here);
	f->text[FORM_TASK].many = true;
	f->text[FORM_TASK].max = PROTOCOL_TEXT_MAX;
	text_set(&f->text[FORM_REPOSITORY], d ? d->repository : here);
	text_set(&f->text[FORM_NAME], d ? d->name : NULL);
	text_set(&f->text[FORM_COMMAND], d ? d->command : t->new_command);
	text_set(&f->text[FORM_BASE], d ? d->base : NULL);
	text_set(&f->text[FORM_FROM], d ? d->from : NULL);
	text_set(&f->text[FORM_TASK], d ? d->text : NULL);
	if (from)
		set_from(f, from, number);
	f->from = *text_get(&f->text[FORM_FROM]);
	f->field =
	    *text_get(&f->text[FORM_REPOSITORY]) ? FORM_NAME : FORM_REPOSITORY;
	read_plan(f);
	if (d && choice_set(&f->plan.template, d->template))
		read_plan(f);
	/* The last choice, otherwise the configuration's. */
	if (d || t->new_harness)
		choice_set(&f->plan.harness, d ? d->harness : t->new_harness);
	draft_destroy(d);
	return &f->view;
}
