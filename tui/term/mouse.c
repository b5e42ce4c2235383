/*
 * mouse.c - decodes reports of the mouse.
 *
 * It does not use curses, which knows one of their two forms by TERM, blocks in
 * the middle of the other, and does not report movement.
 */
#include "tui/term/mouse.h"

#include "base/clock.h"

#define DOUBLE_MS 400

void mouse_report_begin(struct mouse_report *r, bool old)
{
	r->reads = true;
	r->old = old;
	r->n = r->v[0] = r->v[1] = r->v[2] = 0;
}

static bool is_at(const struct mouse *a, const struct mouse *b)
{
	return a->row == b->row && a->col == b->col;
}

/* A release at the place of the press is a click; a second one soon after is a
 * double click. */
static void set_release(struct mouse_report *r, struct mouse *m)
{
	int64_t now = clock_mono_ms();
	bool click = is_at(m, &r->press);

	m->what = MOUSE_RELEASE;
	if (click && r->clicked && now - r->click_ms <= DOUBLE_MS) {
		m->what = MOUSE_DOUBLE;
		click = false;
	}
	r->clicked = click;
	r->click_ms = now;
}

static bool decode_report(struct mouse_report *r, bool released,
			  struct mouse *out)
{
	int button = r->v[0] & 3, flags = r->v[0] & ~3;

	*out = (struct mouse){.row = r->v[2] - 1, .col = r->v[1] - 1};
	if (r->old && button == 3 && !flags) {
		button = 0;
		released = true;
	}
	if (out->row < 0 || out->col < 0)
		return false;
	if (flags == 64 && button < 2) {
		out->what = button ? MOUSE_DOWN : MOUSE_UP;
		return true;
	}
	if (button != 0 || (flags && flags != 32))
		return false;
	if (flags == 32) {
		out->what = MOUSE_DRAG;
	} else if (released) {
		set_release(r, out);
	} else {
		out->what = MOUSE_PRESS;
		r->clicked = r->clicked && is_at(out, &r->press);
		r->press = *out;
	}
	return true;
}

bool mouse_report_add(struct mouse_report *r, uint32_t c, struct mouse *out)
{
	if (r->old) {
		r->v[r->n++] = (int)(c & 0xff) - 32;
		r->reads = r->n < 3;
		return !r->reads && decode_report(r, false, out);
	}
	if (c >= '0' && c <= '9') {
		r->v[r->n] = r->v[r->n] % 1000 * 10 + (int)(c - '0');
		return false;
	}
	if (c == ';' && r->n < 2) {
		r->n++;
		return false;
	}
	r->reads = false;
	return (c == 'M' || c == 'm') && decode_report(r, c == 'm', out);
}

uint32_t mouse_pack(const struct mouse *m)
{
	return (uint32_t)m->what << 28 | (uint32_t)m->row << 14 |
	       (uint32_t)m->col;
}

struct mouse mouse_unpack(uint32_t packed)
{
	return (struct mouse){(enum mouse_what)(packed >> 28),
			      (int)(packed >> 14 & 0x3fff),
			      (int)(packed & 0x3fff)};
}

int mouse_wheel(const struct mouse *m)
{
	return m->what == MOUSE_UP ? -1 : m->what == MOUSE_DOWN;
}
