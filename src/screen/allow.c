/*
 * allow.c - which sequences of the harness reach the user's own terminal.
 *
 * Only sequences that the model knows, so that a redraw shows them, and that
 * screen_leave() undoes. The harness must not change the terminal's own
 * settings (programmed, locked or remapped keys, palette, tab stops, font,
 * printer, log, scrollback) nor query it. string.c handles strings.
 */
#include "screen/sequence.h"

#include <string.h>

#include "screen/redraw.h"

/* Insert and newline mode of the others: not KAM, not SRM. */
static bool allowed_mode(const struct csi *c, int i)
{
	if (c->leader == '?')
		return mode_passes(c->arg[i]);
	return c->leader == 0 && (c->arg[i] == 4 || c->arg[i] == 20);
}

/* If a sequence sets several modes, only the allowed ones pass. */
static bool modes(struct screen *s, const struct csi *c)
{
	int allowed = 0;

	for (int i = 0; i < c->n; i++)
		allowed += allowed_mode(c, i);
	if (allowed == c->n && !c->cut)
		return true;
	for (int i = 0; i < c->n; i++)
		if (allowed_mode(c, i))
			buf_addf(&s->instead, "\033[%s%d%c",
				 c->leader ? "?" : "", c->arg[i], c->final);
	return false;
}

static bool plain(const struct csi *c)
{
	switch (c->final) {
	case 'J':
		/* Not 3: the scrollback is the user's. */
		return csi_arg(c, 0, 0) < 3;
	case 'T':
		return c->n == 1; /* with more it tracks the mouse */
	default:
		return strchr("@ABCDEFGHIKLMPSXZ`abdefmrsu", c->final);
	}
}

bool allow_csi(struct screen *s, const struct csi *c)
{
	if (c->inter[0])
		return c->leader == 0 &&
		       ((strcmp(c->inter, "!") == 0 && c->final == 'p') ||
			(strcmp(c->inter, " ") == 0 && c->final == 'q' &&
			 csi_arg(c, 0, 0) <= 6));
	if (c->final == 'h' || c->final == 'l')
		return modes(s, c);
	if (c->leader == 0)
		return plain(c);
	if (c->leader == '?')
		return strchr("JK", c->final) && csi_arg(c, 0, 0) < 3;
	if (c->leader == '>' && (c->final == 'm' || c->final == 'n'))
		return csi_arg(c, 0, 4) == 4;
	return c->final == 'u'; /* kitty's keys */
}

bool allow_esc(struct screen *s, const char *raw, size_t len)
{
	char final = raw[len - 1];

	if (len == 2 && final == 'c') {
		/* A reset would take the user's own colours, too. */
		screen_redraw(s, 0, &s->instead);
		return false;
	}
	if (len == 2)
		return strchr("78=>DEMno", final);
	if (len != 3)
		return false;
	if (raw[1] == '#')
		return final == '8';
	if (!strchr("()*+", raw[1]))
		return false;
	/* The model knows two character sets. */
	if (final != '0' && final != 'B')
		buf_addf(&s->instead, "\033%cB", raw[1]);
	return final == '0' || final == 'B';
}
