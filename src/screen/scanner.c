/*
 * scanner.c - where sequences begin and end.
 *
 * Text between sequences is found with memchr and never looked at byte by
 * byte here. A sequence is judged when it is whole: what is allowed goes on
 * to the clients as it came, the rest stays here. What a feed leaves
 * unfinished is held until the next one, within bounds. A sequence that is
 * broken off by another one means nothing to any terminal and is dropped, so
 * that what follows it cannot complete it behind our back.
 *
 * Input is UTF-8, so the bytes 0x80 to 0x9f are no C1 controls.
 */
#include "screen/sequence.h"

#include <stdio.h>
#include <string.h>

#define ENQ	0x05
#define C1_LEAD ((char)0xc2) /* U+0080 to U+00BF begin with it in UTF-8 */

static bool is_c1(char c)
{
	return (unsigned char)c >= 0x80 && (unsigned char)c < 0xa0;
}

/* What follows C1_LEAD in a character that may be shown. */
static bool is_latin1(char c)
{
	return (unsigned char)c >= 0xa0 && (unsigned char)c < 0xc0;
}

/* One feed: bytes from `passed` on are not handed to the clients yet. */
struct feed {
	struct screen *s;
	const char *data;
	size_t pos, passed, seq;
};

static void pass(struct screen *s, const char *data, size_t len)
{
	if (len && s->ev.pass)
		s->ev.pass(s->ev.ctx, data, len);
}

static void begin(struct feed *f, size_t at)
{
	struct scanner *sc = &f->s->scan;

	model_text_end(f->s->model);
	f->seq = at;
	sc->state = SCAN_ESC;
	sc->len = 1;
	sc->controls = 0;
	buf_clear(&sc->hold);
}

/* Ends the sequence at f->pos; keep: it goes on to the clients, else what
 * stands in its place. */
static void end(struct feed *f, bool keep)
{
	struct scanner *sc = &f->s->scan;
	struct buf *instead = &f->s->instead;

	if (keep) {
		pass(f->s, sc->hold.data, sc->hold.len);
	} else {
		pass(f->s, f->data + f->passed, f->seq - f->passed);
		pass(f->s, instead->data, instead->len);
		buf_clear(instead);
		f->passed = f->pos;
	}
	if (sc->hold.len > STRING_MAX)
		buf_finish(&sc->hold);
	buf_clear(&sc->hold);
	sc->state = SCAN_GROUND;
}

/* The sequence as one run of bytes. */
static const char *whole(struct feed *f, size_t *len)
{
	struct buf *hold = &f->s->scan.hold;
	size_t n = f->pos - f->seq;

	if (hold->len == 0) {
		*len = n;
		return f->data + f->seq;
	}
	size_t before = hold->len;

	buf_add(hold, f->data + f->seq, n);
	*len = hold->len;
	/* end() passes the held part only: the rest is still in the feed. */
	hold->len = before;
	return hold->data;
}

static bool judge(struct feed *f, const char *raw, size_t len)
{
	return f->s->scan.state == SCAN_CSI ? sequence_csi(f->s, raw, len)
					    : sequence_esc(f->s, raw, len);
}

/* Of ESC and CSI: the controls in its midst have acted already. */
static void done_sequence(struct feed *f)
{
	struct scanner *sc = &f->s->scan;
	size_t len, n = 0;
	char clean[SEQUENCE_MAX];

	if (sc->len > SEQUENCE_MAX) {
		end(f, false);
		return;
	}
	const char *raw = whole(f, &len);

	if (sc->controls == 0) {
		end(f, judge(f, raw, len));
		return;
	}
	for (size_t i = 0; i < len; i++)
		if (i == 0 || (raw[i] >= 0x20 && raw[i] < 0x7f))
			clean[n++] = raw[i];
		else if (raw[i] != ENQ)
			buf_addc(&f->s->instead, raw[i]);
	if (judge(f, clean, n))
		buf_add(&f->s->instead, clean, n);
	end(f, false);
}

static void done_string(struct feed *f, bool bel)
{
	struct scanner *sc = &f->s->scan;
	size_t len, skip = 2 + sc->controls, tail = bel ? 1 : 2;

	if (sc->len > CLIPBOARD_MAX) {
		end(f, false);
		return;
	}
	const char *raw = whole(f, &len);
	bool keep =
	    string_done(f->s, sc->kind, raw + skip, len - skip - tail, bel);

	end(f, keep && sc->controls == 0);
}

/* A control byte inside ESC or CSI acts at once, as in every terminal. */
static bool control_inside(struct feed *f, unsigned char c)
{
	if (c == 0x1b) {
		f->pos--;
		end(f, false);
		begin(f, f->pos++);
	} else if (c == 0x18 || c == 0x1a) {
		end(f, false);
	} else if (c < 0x20) {
		f->s->scan.controls++;
		model_text(f->s->model, (const char *)&c, 1);
	} else if (c >= 0x80) {
		f->pos--;
		end(f, false);
	} else if (c == 0x7f) {
		f->s->scan.controls++;
	} else {
		return false;
	}
	return true;
}

static void step_esc(struct feed *f, unsigned char c)
{
	struct scanner *sc = &f->s->scan;

	if (control_inside(f, c) || c < 0x30)
		return;
	bool first = sc->len - sc->controls == 2;

	if (first && c == '[') {
		sc->state = SCAN_CSI;
	} else if (first && strchr("]P_^X", c)) {
		sc->state = SCAN_STRING;
		sc->kind = (char)c;
	} else {
		done_sequence(f);
	}
}

static void step_csi(struct feed *f, unsigned char c)
{
	if (!control_inside(f, c) && c >= 0x40)
		done_sequence(f);
}

static void step_string(struct feed *f, unsigned char c)
{
	struct scanner *sc = &f->s->scan;

	if (c == 0x1b)
		sc->state = SCAN_STRING_ESC;
	else if (c == 0x07 && sc->kind == ']')
		done_string(f, true);
	else if (c == 0x18 || c == 0x1a)
		end(f, false);
}

static void step_string_esc(struct feed *f, unsigned char c)
{
	if (c == '\\') {
		done_string(f, false);
		return;
	}
	/* The string is broken off; the ESC before c begins anew. */
	f->pos--;
	if (f->pos == 0) {
		/* That ESC came with the feed before. */
		f->seq = 0;
		end(f, false);
		begin(f, 0);
		buf_add(&f->s->scan.hold, "\033", 1);
	} else {
		size_t esc = f->pos - 1;

		if (f->seq > esc)
			f->seq = esc;
		f->pos = esc;
		end(f, false);
		begin(f, esc);
		f->pos = esc + 1;
	}
}

static void step(struct feed *f)
{
	struct scanner *sc = &f->s->scan;
	unsigned char c = (unsigned char)f->data[f->pos++];

	sc->len++;
	switch (sc->state) {
	case SCAN_ESC:
		step_esc(f, c);
		break;
	case SCAN_CSI:
		step_csi(f, c);
		break;
	case SCAN_STRING:
		step_string(f, c);
		break;
	case SCAN_STRING_ESC:
		step_string_esc(f, c);
		break;
	case SCAN_GROUND:
		break;
	}
}

/* What is unfinished at the end of the feed. */
static void keep_rest(struct feed *f, size_t len)
{
	struct scanner *sc = &f->s->scan;
	size_t to = len;

	if (sc->state != SCAN_GROUND) {
		to = f->seq;
		/* One that is too long will not be read, and is not kept. */
		if (sc->len <=
		    (sc->state >= SCAN_STRING ? CLIPBOARD_MAX : SEQUENCE_MAX))
			buf_add(&sc->hold, f->data + to, len - to);
		else
			buf_finish(&sc->hold);
	} else if (to > f->passed && f->data[to - 1] == C1_LEAD) {
		sc->half = true;
		to--;
	}
	pass(f->s, f->data + f->passed, to - f->passed);
}

/* Leaves out of what clients get the n bytes at at. */
static void leave_out(struct feed *f, size_t at, size_t n)
{
	pass(f->s, f->data + f->passed, at - f->passed);
	f->passed = at + n;
}

/*
 * Text up to a position. ENQ asks for the answerback: ours is empty, and
 * that of a client's terminal is not wanted. A C1 control in UTF-8 is nothing
 * to us, but some terminals obey it. last: the feed ends there.
 */
static void text(struct feed *f, size_t to, bool last)
{
	const char *data = f->data;
	size_t at = f->pos, n = to - at;

	f->pos = to;
	if (n == 0)
		return;
	model_text(f->s->model, data + at, n);
	if (!memchr(data + at, ENQ, n) && !memchr(data + at, C1_LEAD, n))
		return;
	for (; at < to; at++) {
		if (data[at] == ENQ)
			leave_out(f, at, 1);
		else if (data[at] != C1_LEAD || (at + 1 == to && last))
			continue;
		else if (at + 1 == to || !is_latin1(data[at + 1]))
			leave_out(f, at,
				  at + 1 < to && is_c1(data[at + 1]) ? 2 : 1);
	}
}

/* The feed before this one ended in C1_LEAD. */
static void half(struct feed *f)
{
	f->s->scan.half = false;
	if (is_c1(f->data[0]))
		f->passed = 1;
	else if (is_latin1(f->data[0]))
		pass(f->s, &(char){C1_LEAD}, 1);
}

void screen_feed(struct screen *s, const char *data, size_t len)
{
	struct feed f = {.s = s, .data = data};

	if (len == 0)
		return;
	s->revision++;
	if (s->scan.half)
		half(&f);
	while (f.pos < len) {
		if (s->scan.state != SCAN_GROUND) {
			step(&f);
			continue;
		}
		const char *esc = memchr(data + f.pos, 0x1b, len - f.pos);

		text(&f, esc ? (size_t)(esc - data) : len, !esc);
		if (esc)
			begin(&f, f.pos++);
	}
	keep_rest(&f, len);
	/* Callbacks may have looked in the middle of it. */
	s->revision++;
}

void screen_draw_line(struct screen *s, int row, const char *text)
{
	char at[48];
	int n = snprintf(at, sizeof(at), "\030\033[!p\033[?7l\033[%d;1H\033[2K",
			 row + 1);

	screen_feed(s, at, (size_t)n);
	screen_feed(s, text, strlen(text));
}
