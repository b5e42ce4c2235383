/*
 * sequence.c - what an ESC or CSI sequence means to us: queries are answered
 * and kept back, modes are remembered for redraws, and all that draws goes to
 * the model.
 */
#include "screen/sequence.h"

#include <string.h>

#include "screen/model.h"

static void kitty_keys(struct screen *s, const struct csi *c)
{
	struct kitty_stack *k = &s->kitty[s->modes.altscreen];
	int flags = csi_arg(c, 0, 0) & 31;

	if (c->leader == '>') {
		if (k->n == KITTY_STACK) {
			memmove(k->flags, k->flags + 1,
				(KITTY_STACK - 1) * sizeof(k->flags[0]));
			k->n--;
		}
		k->flags[k->n++] = k->now;
		k->now = flags;
	} else if (c->leader == '<') {
		int count = csi_arg(c, 0, 1);

		for (count = count ? count : 1; count > 0 && k->n > 0; count--)
			k->now = k->flags[--k->n];
		if (count > 0)
			k->now = 0;
	} else {
		int how = csi_arg(c, 1, 1);

		if (how == 1)
			k->now = flags;
		else if (how == 2)
			k->now |= flags;
		else if (how == 3)
			k->now &= ~flags;
	}
	s->modes.kitty_flags = k->now;
}

static bool set_region(struct screen *s, const struct csi *c)
{
	int top = csi_arg(c, 0, 1), bottom = csi_arg(c, 1, s->rows);

	top = top < 1 ? 1 : top;
	bottom = bottom < 1 || bottom > s->rows ? s->rows : bottom;
	if (top >= bottom)
		return false;
	s->top = top - 1;
	s->bottom = bottom - 1;
	return true;
}

/* Handles sequences without leader and intermediate bytes; false: unknown. */
static bool track_plain(struct screen *s, const struct csi *c)
{
	if (c->final == 'r')
		return set_region(s, c);
	if (c->final == 'h' || c->final == 'l')
		for (int i = 0; i < c->n; i++)
			s->insert =
			    c->arg[i] == 4 ? c->final == 'h' : s->insert;
	else if (c->final == 'J' && csi_arg(c, 0, 0) == 3)
		history_clear(&s->history);
	else if (c->final == 'g')
		s->modes.own_tabs = true;
	return true;
}

static bool is_csi(const struct csi *c, char leader, const char *inter,
		   char final)
{
	return c->leader == leader && c->final == final &&
	       strcmp(c->inter, inter) == 0;
}

bool sequence_csi(struct screen *s, const char *raw, size_t len)
{
	struct csi c;

	if (!csi_parse(&c, raw, len))
		return false;
	/* Most are colours. They do the pen alone, and may pass. */
	if (c.final == 'm' && c.leader == 0 && !c.inter[0]) {
		sgr_read(s->model, &c);
		return true;
	}
	if (query_csi(s, &c))
		return false;
	if (is_csi(&c, '?', "", 'h') || is_csi(&c, '?', "", 'l')) {
		for (int i = 0; i < c.n; i++)
			mode_set(s, c.arg[i], c.final == 'h');
	} else if (c.final == 'u' && c.leader && !c.inter[0]) {
		kitty_keys(s, &c);
	} else if (is_csi(&c, '>', "", 'm') || is_csi(&c, '>', "", 'n')) {
		if (csi_arg(&c, 0, 4) == 4)
			s->modes.modify_other_keys =
			    c.final == 'm' ? csi_arg(&c, 1, 0) : 0;
	} else if (is_csi(&c, 0, " ", 'q')) {
		int shape = csi_arg(&c, 0, 0);

		s->modes.cursor_shape = shape <= 6 ? shape : 0;
	} else if (is_csi(&c, 0, "!", 'p')) {
		mode_reset_soft(s);
	} else if (c.leader == 0 && !c.inter[0] && !track_plain(s, &c)) {
		return true;
	}
	model_csi(s->model, &c);
	return allow_csi(s, &c);
}

bool sequence_esc(struct screen *s, const char *raw, size_t len)
{
	char final = raw[len - 1];

	if (len == 2 && final == 'Z') {
		query_da1(s);
		return false;
	}
	model_esc(s->model, raw, len);
	if (len == 2 && (final == '=' || final == '>'))
		s->modes.app_keypad = final == '=';
	else if (len == 2 && final == 'c')
		mode_reset(s);
	else if (len == 2 && final == 'H')
		s->modes.own_tabs = true;
	return allow_esc(s, raw, len);
}
