/*
 * form_fields.c - the fields of the form of a new session, and its picture.
 *
 * A field for text is underlined, and says in grey what it is for while it is
 * empty. A window too small for all fields leaves out the first ones.
 */
#include "tui/views/form_fields.h"

#include <string.h>

#include "base/cleanup.h"

#define TASK_ROWS 8
#define PLAN_ROWS 4
#define LABEL	  11 /* columns left of a field */

static const struct {
	const char *label, *help;
	const char *empty; /* shown in a field without text */
} fields[FORM_COUNT] = {
    [FORM_TASK] = {"Task",
		   "the first message; Ctrl-J begins a new line, Tab goes to "
		   "the next field",
		   "what the agent is to do"},
    [FORM_NAME] = {"Name",
		   "letters, digits, '.', '_', '-'; the branch is af/NAME",
		   "made from the task"},
    [FORM_HARNESS] = {"Agent", "Left and Right choose", NULL},
    [FORM_COMMAND] = {"Command", "quotes keep words together",
		      "the command line to run"},
    [FORM_TEMPLATE] = {"Template", "the agent's role; Left and Right choose",
		       NULL},
    [FORM_SANDBOX] = {"Sandbox",
		      "what confines the agent; landlock: its worktree only; "
		      "podman: a container",
		      NULL},
    [FORM_HOST] = {"Host", "the machine it runs on; Left and Right choose",
		   NULL},
    [FORM_BASE] = {"Base", "a branch, tag or commit to start from",
		   "the current commit"},
    [FORM_FROM] = {"From",
		   "a session, or NAME@N: as in its checkpoint N; also "
		   "what is not committed",
		   "a session"},
    [FORM_REPOSITORY] = {"In",
			 "a path; PgUp and PgDn: the repositories that have "
			 "sessions",
			 "the path of a git repository"},
};

bool form_takes_command(const struct form *f)
{
	return strcmp(choice_name(&f->plan.harness), "generic") == 0;
}

bool form_has(const struct form *f, enum form_field field)
{
	if (field == FORM_FROM || field == FORM_BASE)
		return f->from == (field == FORM_FROM);
	if (field == FORM_HOST)
		return f->plan.host.n > 1 && !f->from;
	return field != FORM_COMMAND || form_takes_command(f);
}

struct choice *form_choice(struct form *f, enum form_field field)
{
	return field == FORM_HARNESS	? &f->plan.harness
	       : field == FORM_TEMPLATE ? &f->plan.template
	       : field == FORM_SANDBOX	? &f->plan.sandbox
	       : field == FORM_HOST	? &f->plan.host
					: NULL;
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

static void draw_text(struct tui *t, const struct form *f,
		      enum form_field field, const struct rect *r)
{
	static const struct style line = {.attrs = SCREEN_UNDERLINE};
	static const struct style grey = {.attrs =
					      SCREEN_UNDERLINE | SCREEN_DIM};
	const struct text *text = &f->text[field];
	int row, col;

	for (int i = 0; i < r->rows; i++)
		paint_fill(r->row + i, r->col, r->cols, line);
	text_draw(text, r, line, &row, &col);
	if (!*text_get(text))
		paint_text(r->row, r->col, r->cols, fields[field].empty, grey);
	if (f->field == field)
		tui_cursor(t, row, col);
}

/* Draws one field into r, and what the chosen template is for below it. */
static void draw_field(struct tui *t, struct form *f, enum form_field field,
		       const struct rect *r)
{
	const struct choice *c = form_choice(f, field);
	const char *says = f->plan.says;

	paint_look(r->row, r->col - LABEL + 2, LABEL - 2, fields[field].label,
		   f->field == field ? LOOK_KEY : LOOK_PLAIN);
	if (c)
		draw_choice(c, f->field == field, r);
	else
		draw_text(t, f, field, r);
	if (field == FORM_TEMPLATE)
		paint_look(r->row + 1, r->col + 1, r->cols - 1,
			   says && *says ? says
					 : "no role: only the task says "
					   "what to do",
			   LOOK_QUIET);
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

/* Sets the rows of each field, with the blank ones below it. */
static void set_rows(const struct form *f, int room, int rows[FORM_COUNT])
{
	int others = 0, by = room < 24 ? 1 : 2;

	for (int i = FORM_TASK + 1; i < FORM_COUNT; i++) {
		rows[i] = !form_has(f, (enum form_field)i) ? 0
			  : i == FORM_TEMPLATE		   ? by + 1
							   : by;
		others += rows[i];
	}
	room -= others + PLAN_ROWS;
	rows[FORM_TASK] = room < 2	     ? 1
			  : room > TASK_ROWS ? TASK_ROWS + 1
					     : room;
}

/* Returns the first field to draw, so that the one with the cursor is seen. */
static int first_field(const struct form *f, int room,
		       const int rows[FORM_COUNT])
{
	int first = f->field;

	for (room -= rows[first]; first > 0 && room >= rows[first - 1]; first--)
		room -= rows[first - 1];
	return first;
}

static const char *help_of(const struct form *f)
{
	const char *harness = choice_name(&f->plan.harness);

	if (f->field == FORM_HARNESS && strcmp(harness, "demo") == 0)
		return "no agent is installed (see afw adapters); demo is a "
		       "program that acts like one";
	return fields[f->field].help;
}

void form_draw(struct tui *t, struct view *v, const struct rect *body)
{
	struct form *f = (struct form *)v;
	struct rect r = {body->row + 2, body->col + LABEL, 1,
			 body->cols - LABEL - 2};
	int end = body->row + body->rows - 2, rows[FORM_COUNT];
	const char *in = f->plan.repository, *slash = in ? strrchr(in, '/') : 0;

	paint_heading(body, LOOK_STRONG, "new session in %s",
		      slash ? slash + 1 : "?");
	set_rows(f, end - r.row, rows);
	for (int i = first_field(f, end - r.row, rows);
	     i < FORM_COUNT && r.row + rows[i] <= end; i++) {
		r.rows = i != FORM_TASK || rows[i] == 1 ? 1 : rows[i] - 1;
		if (rows[i])
			draw_field(t, f, (enum form_field)i, &r);
		r.row += rows[i];
	}
	draw_plan(f, body, r.row + 1);
	paint_look(body->row + body->rows - 1, body->col + 2, body->cols - 4,
		   help_of(f), LOOK_QUIET);
}
