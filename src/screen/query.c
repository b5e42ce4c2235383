/*
 * query.c - answers what a program asks its terminal, always the same, so that
 * a program behaves alike whether a client is attached or not. Queries that are
 * not answered here do not reach the clients either (allow.c), because the
 * answers of two clients would both arrive.
 */
#include "base/version.h"
#include "screen/sequence.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "screen/model.h"

void query_reply(struct screen *s, const char *fmt, ...)
{
	char out[512];
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(out, sizeof(out), fmt, ap);
	va_end(ap);
	if (n > 0 && (size_t)n < sizeof(out) && s->ev.reply)
		s->ev.reply(s->ev.ctx, out, (size_t)n);
}

/* VT220 with colour. */
void query_da1(struct screen *s)
{
	query_reply(s, "\033[?62;22c");
}

static void cursor_report(struct screen *s, const char *prefix)
{
	int row = s->model->y - (s->origin ? s->top : 0);

	query_reply(s, "\033[%s%d;%dR", prefix, row + 1, s->model->x + 1);
}

static void status_report(struct screen *s, const struct csi *c)
{
	int what = csi_arg(c, 0, 0);

	if (c->leader == 0 && what == 5)
		query_reply(s, "\033[0n");
	else if (what == 6)
		cursor_report(s, c->leader ? "?" : "");
	else if (c->leader == '?' && what == 996)
		query_reply(s, "\033[?997;1n"); /* dark */
}

/* 0 unknown, 1 set, 2 reset */
static void mode_report(struct screen *s, const struct csi *c)
{
	int mode = csi_arg(c, 0, 0), on = -1;

	if (c->leader)
		on = mode_get(s, mode);
	else if (mode == 4)
		on = s->insert;
	query_reply(s, "\033[%s%d;%d$y", c->leader ? "?" : "", mode,
		    on < 0 ? 0
		    : on   ? 1
			   : 2);
}

static bool window_report(struct screen *s, const struct csi *c)
{
	switch (csi_arg(c, 0, 0)) {
	case 18:
		query_reply(s, "\033[8;%d;%dt", s->rows, s->cols);
		return true;
	case 19:
		query_reply(s, "\033[9;%d;%dt", s->rows, s->cols);
		return true;
	default:
		return false;
	}
}

static bool is_attributes(struct screen *s, const struct csi *c)
{
	if (csi_arg(c, 0, 0) != 0 || c->leader == '?' || c->leader == '<')
		return true; /* a terminal's answer that was echoed: ignored */
	if (c->leader == 0)
		query_da1(s);
	else if (c->leader == '>')
		query_reply(s, "\033[>1;0;0c");
	else
		query_reply(s, "\033P!|00000000\033\\");
	return true;
}

bool query_csi(struct screen *s, const struct csi *c)
{
	if (strcmp(c->inter, "$") == 0 && c->final == 'p' &&
	    (c->leader == 0 || c->leader == '?')) {
		mode_report(s, c);
		return true;
	}
	if (c->inter[0])
		return false;
	switch (c->final) {
	case 'c':
		return is_attributes(s, c);
	case 'n':
		if (c->leader && c->leader != '?')
			return false;
		status_report(s, c);
		return true;
	case 'q':
		if (c->leader != '>')
			return false;
		query_reply(s, "\033P>|afw %s\033\\", AFW_VERSION);
		return true;
	case 'u':
		if (c->leader != '?')
			return false;
		query_reply(s, "\033[?%du", s->modes.kitty_flags);
		return true;
	case 'm':
		if (c->leader != '?')
			return false;
		if (csi_arg(c, 0, 0) == 4)
			query_reply(s, "\033[>4;%dm",
				    s->modes.modify_other_keys);
		return true;
	case 't':
		return c->leader == 0 && window_report(s, c);
	default:
		return false;
	}
}

/* DECRQSS: `$q` and what is asked for. */
static void setting_report(struct screen *s, const char *what, size_t len)
{
	if (len == 1 && *what == 'm') {
		const struct cell *c = &s->model->pen;
		const struct pen pen = {c->attrs, c->fg, c->bg};
		struct buf sgr = {0};

		sgr_write(&pen, &sgr);
		query_reply(s, "\033P1$r%s\033\\", sgr.data + 2);
		buf_finish(&sgr);
	} else if (len == 1 && *what == 'r') {
		query_reply(s, "\033P1$r%d;%dr\033\\", s->top + 1,
			    s->bottom + 1);
	} else if (len == 2 && memcmp(what, " q", 2) == 0) {
		query_reply(s, "\033P1$r%d q\033\\", s->modes.cursor_shape);
	} else {
		query_reply(s, "\033P0$r\033\\");
	}
}

void query_dcs(struct screen *s, const char *body, size_t len)
{
	if (len >= 2 && memcmp(body, "$q", 2) == 0)
		setting_report(s, body + 2, len - 2);
	else if (len >= 2 && memcmp(body, "+q", 2) == 0)
		query_reply(s, "\033P0+r\033\\");
}
