/* preview.c - the selected session: its current or last screen, or the tab that
 * replaces it. */
#include "tui/preview/preview.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tui/child/conflicts.h"
#include "tui/hosts.h"
#include "tui/preview/feed.h"
#include "tui/preview/remote.h"
#include "tui/preview/tabs.h"
#include "tui/term/mouse.h"

static const struct capture *capture_of(const struct tui *t,
					const struct session *s)
{
	return s->host ? remote_capture(t->remote) : feed_capture(t->feed);
}

/* Draws the title that the agent set, if there is room in r. */
static void draw_title(struct tui *t, const struct session *s,
		       const struct rect *r)
{
	const struct capture *c = capture_of(t, s);
	const char *title = c && c->title ? c->title : s->state.title;
	_free_ char *text = mem_printf(" %s ", title ? title : "");
	int used;

	/* A session that is not running has an outdated title. */
	if (!s->alive || !title || !*title || r->cols < 12)
		return;
	used = paint_width(text) < r->cols ? paint_width(text) : r->cols;
	paint_look(r->row, r->col + r->cols - used, used, text, LOOK_QUIET);
}

/* Draws "── fix-login · claude · waiting ── title ─ [screen] diff  log  info
 * ──"; for a text, the position in it instead of the title. */
static void draw_heading(struct tui *t, const struct session *s,
			 const struct rect *r)
{
	const char *dot = term_utf8() ? " · " : ", ";
	_free_ char *label = roster_label(&t->roster, s);
	_free_ char *text = mem_printf(" %s%s%s%s%s ", label, dot,
				       s->spec.harness ? s->spec.harness : "?",
				       dot, session_status_word(s));
	const struct scroll *scroll = tabs_scroll(t->tabs);
	struct rect in = {r->row, r->col + 2, 1, r->cols - 4};
	int used;
	char where[64];

	paint_line(r->row, r->col, r->cols);
	used = paint_look(in.row, in.col, in.cols, text, LOOK_STRONG);
	in.cols -= tabs_draw_names(t->tabs, &in, in.cols - used - 1) + 1;
	in.col += used + 1;
	in.cols -= used + 1;
	if (scroll) {
		scroll_where(scroll, where, sizeof where);
		used = paint_width(where);
		if (used <= in.cols)
			paint_look(in.row, in.col + in.cols - used, used, where,
				   LOOK_QUIET);
	} else {
		draw_title(t, s, &in);
	}
}

/* Draws one more line above the picture. */
static void add_note(struct rect *r, enum look look, const char *what,
		     const char *text)
{
	_free_ char *line = mem_printf("%s%s", what, text);

	if (r->rows > 0 &&
	    paint_look(r->row, r->col, r->cols, line, look) > 0) {
		r->row++;
		r->rows--;
	}
}

/* Draws lines above the picture: why it is not live, what the agent asks,
 * degraded features. A question is shown whole, because it may be answered
 * here. */
static int draw_note(struct tui *t, const struct session *s,
		     const struct rect *r)
{
	struct rect in = {r->row, r->col, r->rows / 3, r->cols}, whole = *r;
	const char *says =
	    s->host ? remote_message(t->remote) : feed_message(t->feed);
	_buf_ struct buf text = {0};
	int used;

	if (session_urgency(s) == WORD_WAITING ||
	    (s->alive && s->state.question_id)) {
		session_message(s, &text);
		used = text.len ? paint_wrapped(&whole, text.data, LOOK_WAITING)
				: 0;
		in.row += used;
	} else if (!s->alive) {
		roster_detail(s, true, &text);
		whole.rows = whole.rows < 4 ? whole.rows : 4;
		used = text.len ? paint_wrapped(&whole, text.data,
						s->state.phase == PHASE_ERROR
						    ? LOOK_ERROR
						    : LOOK_STRONG)
				: 0;
		in.row += used;
	}
	if (in.rows > r->row + r->rows - in.row)
		in.rows = r->row + r->rows - in.row;
	buf_clear(&text);
	if (hosts_note(t, s, true, &text))
		add_note(&in, LOOK_ERROR, "", text.data);
	else if (s->state.phase == PHASE_PROVISIONING)
		add_note(&in, LOOK_QUIET, "", "its worktree is being set up");
	else if (s->alive && *says)
		add_note(&in, LOOK_ERROR, "", says);
	if (conflicts_with(t->conflicts, s))
		add_note(&in, LOOK_REMOVED, "changes the same lines as ",
			 conflicts_with(t->conflicts, s));
	for (size_t i = 0; i < s->state.degraded.n; i++)
		add_note(&in, LOOK_QUIET, "note: ", s->state.degraded.v[i]);
	return in.row - r->row;
}

/* Draws the sessions of the selected group. */
static void draw_members(struct tui *t, const struct rect *r)
{
	const struct roster *roster = &t->roster;
	const struct roster_group *g = roster_heading(roster, roster->cursor);

	_buf_ struct buf title = {0};

	if (!g)
		return;
	roster_group_title(roster, g, &title);
	paint_heading(r, LOOK_STRONG, "%s", title.data);
	for (size_t i = 0; i < g->n && (int)i + 1 < r->rows; i++) {
		const struct session *s = roster_member(roster, g, i);
		_free_ char *text =
		    mem_printf("%s: %s", s->spec.name, session_status_word(s));

		paint_look(r->row + 1 + (int)i, r->col, r->cols, text,
			   session_urgency(s) == WORD_WAITING ? LOOK_WAITING
							      : LOOK_PLAIN);
	}
}

void preview_draw(struct tui *t, const struct rect *r, bool beside)
{
	const struct session *s = roster_selected(&t->roster);
	const struct capture *c;
	struct rect in = {r->row + 1, r->col, r->rows - 1, r->cols};
	int note;

	if (beside)
		paint_column(r->row, r->col - 1, r->rows);
	if (!s) {
		draw_members(t, r);
		return;
	}
	c = capture_of(t, s);
	draw_heading(t, s, r);
	/* Notes are about the live screen. */
	note = tabs_scroll(t->tabs) ? 0 : draw_note(t, s, &in);
	in.row += note;
	in.rows -= note;
	if (in.rows <= 0 || tabs_draw(t->tabs, &in))
		return;
	if (c)
		capture_draw(c, &in,
			     s->host ? !remote_is_live(t->remote)
				     : !feed_is_live(t->feed),
			     session_urgency(s) == WORD_WAITING);
	else if (!note)
		paint_look(in.row, in.col, in.cols,
			   s->alive ? "(no picture of its screen yet)"
				    : "(no picture of its screen)",
			   LOOK_QUIET);
}

void preview_frame(const struct tui *t, struct frame *f,
		   const struct rect *body)
{
	bool inbox = t->roster.inbox;

	layout_frame(f, body, (t->preview || inbox) && t->roster.nshown,
		     t->roster.nshown, inbox, t->divided);
}

void preview_draw_alone(struct tui *t, struct view *v, const struct rect *body)
{
	struct frame f;

	(void)v;
	preview_frame(t, &f, body);
	if (f.preview.rows)
		return; /* the list has drawn it */
	for (int i = 0; i < body->rows; i++)
		paint_fill(body->row + i, body->col, body->cols,
			   (struct style){0});
	preview_draw(t, body, false);
}

bool preview_divide(struct tui *t, const struct mouse *m)
{
	const struct frame *f = &t->frame;
	int now = f->beside ? f->list.cols : f->list.rows;
	int at = f->beside ? m->col - f->list.col : m->row - f->list.row;

	if (m->what == MOUSE_PRESS)
		t->dividing = f->preview.rows && at == now &&
			      m->row < f->preview.row + f->preview.rows &&
			      tabs_at(t->tabs, m->row, m->col) == ACT_NONE;
	if (!t->dividing || mouse_wheel(m))
		return false;
	if (at != now)
		t->divided[f->beside] = at > 1 ? at : 1;
	t->dividing = m->what == MOUSE_PRESS || m->what == MOUSE_DRAG;
	return true;
}
