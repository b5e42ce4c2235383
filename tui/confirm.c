/* confirm.c - a question with y or n, on the last line. */
#include <stdlib.h>
#include <string.h>

#include "session/spec.h"
#include "tui/tui.h"

struct confirm {
	struct view view;
	char *question;
	char id[SPEC_ID_LEN + 1];
	void (*yes)(struct tui *t, const char *id);
};

static void confirm_draw(struct tui *t, struct view *v, const struct rect *body)
{
	(void)t;
	(void)v;
	(void)body;
}

static void confirm_footer(struct tui *t, struct view *v, const struct rect *r)
{
	struct confirm *c = (struct confirm *)v;
	int room = r->cols - 8, used;

	used = paint_look(r->row, r->col, room, c->question, LOOK_WAITING);
	used += 1 + paint_look(r->row, used + 1, 5, "y/n", LOOK_KEY);
	tui_cursor(t, r->row, used + 1);
}

static void confirm_key(struct tui *t, struct view *v, struct key k)
{
	struct confirm *c = (struct confirm *)v;
	void (*yes)(struct tui *, const char *) = c->yes;
	char id[SPEC_ID_LEN + 1];

	if (k.kind != KEY_KIND_CHAR)
		return;
	memcpy(id, c->id, sizeof id);
	switch (k.cp) {
	case 'y':
	case 'Y':
		view_pop(t);
		yes(t, id);
		break;
	case 'n':
	case 'N':
	case 'q':
	case '\033':
	case 'C' - '@':
		view_pop(t);
		tui_say(t, LOOK_PLAIN, "nothing was done");
		break;
	default:
		break;
	}
}

static void confirm_destroy(struct view *v)
{
	struct confirm *c = (struct confirm *)v;

	free(c->question);
	free(c);
}

static const struct view_ops confirm_ops = {
    .draw = confirm_draw,
    .key = confirm_key,
    .footer = confirm_footer,
    .destroy = confirm_destroy,
};

struct view *confirm_view(const char *question, const char *id,
			  void (*yes)(struct tui *t, const char *id))
{
	struct confirm *c = mem_alloc(sizeof *c);

	c->view.ops = &confirm_ops;
	c->question = mem_strdup(question);
	memcpy(c->id, id, SPEC_ID_LEN + 1);
	c->yes = yes;
	return &c->view;
}
