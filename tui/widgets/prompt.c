/* prompt.c - one line that is typed in the last row. It acts while the user
 * types (a filter, a search), or on Enter (a name). */
#include <stdlib.h>
#include <string.h>

#include "tui/tui.h"
#include "tui/widgets/text_field.h"

struct prompt {
	struct view view;
	struct text text;
	bool (*typed)(struct tui *t, const char *text);
	bool found;
	/* or: */
	char *label, *id;
	char *suggestion; /* for an empty line, or NULL */
	/* on COMPOSE_KEY; or NULL */
	void (*compose)(struct tui *t, struct text *text);
	bool (*enter)(struct tui *t, const char *id, const char *text);
};

static void prompt_footer(struct tui *t, struct view *v, const struct rect *r)
{
	struct prompt *p = (struct prompt *)v;
	const char *label = p->label ? p->label : "/";
	int used = paint_look(r->row, r->col, r->cols - 8, label, LOOK_KEY) + 1;
	struct rect in = {r->row, r->col + used, 1, r->cols - used};
	int row, col;

	text_draw(&p->text, &in,
		  paint_style(p->found ? LOOK_PLAIN : LOOK_ERROR), &row, &col);
	if (p->suggestion && !*text_get(&p->text))
		paint_look(in.row, in.col, in.cols, p->suggestion, LOOK_QUIET);
	tui_cursor(t, row, col);
}

static void named_key(struct tui *t, struct prompt *p, struct key k)
{
	const char *text = text_get(&p->text);

	if (k.kind == KEY_KIND_CHAR && k.cp == '\r') {
		if (p->suggestion && !*text)
			text = p->suggestion;
		if (p->enter(t, p->id, text) && !p->view.held)
			view_pop(t);
	} else if (key_is_cancel(k)) {
		view_pop(t);
	} else if (p->compose && k.kind == KEY_KIND_CHAR &&
		   k.cp == COMPOSE_KEY) {
		p->text.many = true;
		p->compose(t, &p->text);
	} else {
		text_key(&p->text, k);
	}
}

static void prompt_key(struct tui *t, struct view *v, struct key k)
{
	struct prompt *p = (struct prompt *)v;
	bool (*typed)(struct tui *, const char *) = p->typed;

	if (!typed) {
		named_key(t, p, k);
	} else if (k.kind == KEY_KIND_CHAR && k.cp == '\r') {
		if (!p->found)
			tui_set_message(t, LOOK_PLAIN, "there is no '%s'",
					text_get(&p->text));
		view_pop(t);
	} else if (key_is_cancel(k)) {
		view_pop(t);
		typed(t, NULL);
	} else if (text_key(&p->text, k)) {
		p->found = typed(t, text_get(&p->text));
	}
}

static void prompt_destroy(struct view *v)
{
	struct prompt *p = (struct prompt *)v;

	text_finish(&p->text);
	free(p->label);
	free(p->id);
	free(p->suggestion);
	free(p);
}

static const struct view_ops prompt_ops = {
    .holds = true,
    .key = prompt_key,
    .footer = prompt_footer,
    .destroy = prompt_destroy,
};

struct view *prompt_view(const char *text,
			 bool (*typed)(struct tui *t, const char *text))
{
	struct prompt *p = mem_alloc(sizeof *p);

	p->found = true;
	p->view.ops = &prompt_ops;
	p->typed = typed;
	text_set(&p->text, text);
	return &p->view;
}

struct view *prompt_enter_view(char *label, const char *id, const char *text,
			       bool (*enter)(struct tui *t, const char *id,
					     const char *text))
{
	struct view *v = prompt_view(text, NULL);
	struct prompt *p = (struct prompt *)v;

	p->label = label;
	p->id = mem_strdup(id);
	p->enter = enter;
	return v;
}

struct view *prompt_compose_view(
    char *label, const char *id, const char *text, size_t max,
    bool (*enter)(struct tui *t, const char *id, const char *text),
    void (*compose)(struct tui *t, struct text *text))
{
	struct view *v = prompt_enter_view(label, id, NULL, enter);
	struct prompt *p = (struct prompt *)v;

	p->compose = compose;
	p->text.max = max;
	p->text.many = text && strchr(text, '\n');
	text_set(&p->text, text);
	return v;
}

struct view *prompt_commit_view(char *label, const char *id, const char *name,
				const char *text,
				bool (*enter)(struct tui *t, const char *id,
					      const char *text))
{
	struct view *v = prompt_enter_view(label, id, text, enter);
	struct prompt *p = (struct prompt *)v;

	p->suggestion = mem_strdup(name);
	for (char *c = p->suggestion; *c; c++)
		if (strchr("-_.", *c))
			*c = ' ';
	return v;
}
