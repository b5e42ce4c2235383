/*
 * pager.c - text to scroll through: the help, a diff.
 *
 * A pager of our own, so that neither less(1) nor a trip out of curses is
 * needed, and what an agent wrote into a diff passes through paint.h.
 */
#include <curses.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/keys.h"
#include "tui/tui.h"

struct pager {
	struct view view;
	char *title, *text;
	char **lines; /* into text */
	size_t n, top;
	int page, shift;
	bool diff;
};

static struct style line_style(const struct pager *p, const char *line)
{
	struct style st = (struct style){0};

	if (!p->diff) /* the help: a heading is one word */
		return strchr(line, ' ') ? st : paint_style(LOOK_STRONG);
	if (strncmp(line, "diff ", 5) == 0 || strncmp(line, "--- ", 4) == 0 ||
	    strncmp(line, "+++ ", 4) == 0)
		return paint_style(LOOK_STRONG);
	if (line[0] == '+')
		return paint_style(LOOK_ADDED);
	if (line[0] == '-')
		return paint_style(LOOK_REMOVED);
	if (strncmp(line, "@@", 2) == 0)
		return paint_style(LOOK_KEY);
	return st;
}

/* The part of line that is right of shift columns, roughly: by bytes that
 * begin a character. */
static const char *shifted(const char *line, int shift)
{
	while (shift > 0 && *line) {
		line++;
		while (((unsigned char)*line & 0xc0) == 0x80)
			line++;
		shift--;
	}
	return line;
}

static void pager_draw(struct tui *t, struct view *v, const struct rect *r)
{
	struct pager *p = (struct pager *)v;
	size_t last;
	char where[64];

	(void)t;
	p->page = r->rows - 1;
	if (p->top + (size_t)p->page > p->n)
		p->top = p->n > (size_t)p->page ? p->n - (size_t)p->page : 0;
	last =
	    p->top + (size_t)p->page < p->n ? p->top + (size_t)p->page : p->n;
	paint_line(r->row, r->col, r->cols);
	paint_look(r->row, r->col + 2, r->cols - 24, p->title, LOOK_STRONG);
	if (p->n > (size_t)p->page) {
		snprintf(where, sizeof where, " %zu-%zu of %zu ", p->top + 1,
			 last, p->n);
		paint_look(r->row, r->col + r->cols - 21, 20, where,
			   LOOK_QUIET);
	}
	for (size_t i = p->top; i < last; i++) {
		const char *line = p->lines[i];
		int row = r->row + 1 + (int)(i - p->top);

		paint_plain(row, r->col, r->cols, shifted(line, p->shift),
			    line_style(p, line));
		/* what is explained */
		if (!p->diff && !p->shift && *line == ' ')
			paint_plain(row, r->col, r->cols < 19 ? r->cols : 19,
				    line, paint_style(LOOK_STRONG));
	}
}

static void scroll_by(struct pager *p, long delta)
{
	long top = (long)p->top + delta;

	p->top = top < 0 ? 0 : (size_t)top; /* drawing cuts the other end */
	if (p->top > p->n)
		p->top = p->n;
}

static void pager_key(struct tui *t, struct view *v, struct key k)
{
	struct pager *p = (struct pager *)v;

	if (k.kind == KEY_KIND_CHAR && (k.cp == '\033' || k.cp == '?')) {
		view_pop(t);
		return;
	}
	if (k.kind == KEY_KIND_NAMED && k.cp == KEY_RIGHT)
		p->shift += 8;
	if (k.kind == KEY_KIND_NAMED && k.cp == KEY_LEFT)
		p->shift -= p->shift ? 8 : 0;
	switch (keys_act(k)) {
	case ACT_QUIT:
	case ACT_DIFF:
		view_pop(t);
		break;
	case ACT_DOWN:
	case ACT_ATTACH: /* Enter */
		scroll_by(p, 1);
		break;
	case ACT_UP:
		scroll_by(p, -1);
		break;
	case ACT_NEXT: /* Space */
	case ACT_PAGE_DOWN:
		scroll_by(p, p->page - 1);
		break;
	case ACT_PAGE_UP:
		scroll_by(p, 1 - p->page);
		break;
	case ACT_FIRST:
		p->top = 0;
		break;
	case ACT_LAST:
		p->top = p->n;
		break;
	default:
		break;
	}
}

static void pager_destroy(struct view *v)
{
	struct pager *p = (struct pager *)v;

	free(p->title);
	free(p->text);
	free(p->lines);
	free(p);
}

static const struct hint hints[] = {
    {"q", "back"},	    {"j/k", "line"},	     {"Space", "page"},
    {"g/G", "first, last"}, {"Left/Right", "shift"}, {NULL, NULL},
};

static const struct view_ops pager_ops = {
    .covers = true,
    .draw = pager_draw,
    .key = pager_key,
    .hints = hints,
    .destroy = pager_destroy,
};

struct view *pager_view(const char *title, char *text, bool diff)
{
	struct pager *p = mem_alloc(sizeof *p);

	p->view.ops = &pager_ops;
	p->title = mem_printf(" %s ", title);
	p->text = text;
	p->diff = diff;
	for (char *line = text; line && *line;) {
		char *end = strchr(line, '\n');

		p->lines = mem_grow(p->lines, p->n, sizeof *p->lines);
		p->lines[p->n++] = line;
		if (!end)
			break;
		*end = '\0';
		line = end + 1;
	}
	return &p->view;
}
