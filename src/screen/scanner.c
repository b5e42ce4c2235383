/*
 * scanner.c - where sequences begin and end.
 *
 * Text between sequences is found with memchr and never looked at byte by
 * byte here. A sequence is judged when it is whole: what is a query stays
 * here, all else goes on to the clients as it came. What a feed leaves
 * unfinished is held until the next one, within bounds. A sequence that is
 * broken off by another one means nothing to any terminal and is dropped, so
 * that what follows it cannot complete it behind our back.
 *
 * Input is UTF-8, so the bytes 0x80 to 0x9f are no C1 controls.
 */
#include "screen/internal.h"

#include <string.h>

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
	sc->over = false;
	sc->len = 1;
	sc->controls = 0;
	buf_clear(&sc->hold);
}

/* Ends the sequence at f->pos; keep: it goes on to the clients. */
static void end(struct feed *f, bool keep)
{
	struct scanner *sc = &f->s->scan;

	if (keep && !sc->over) {
		pass(f->s, sc->hold.data, sc->hold.len);
	} else if (!keep && sc->over) {
		/* Its beginning is with the clients already. */
		pass(f->s, f->data + f->passed, f->seq - f->passed);
		pass(f->s, "\033\\", 2);
		f->passed = f->pos;
	} else if (!keep) {
		pass(f->s, f->data + f->passed, f->seq - f->passed);
		f->passed = f->pos;
	}
	buf_clear(&sc->hold);
	sc->over = false;
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

/* Of ESC and CSI: without the controls that acted meanwhile. */
static void done_sequence(struct feed *f)
{
	struct scanner *sc = &f->s->scan;
	size_t len, n = 0;
	char clean[SEQUENCE_MAX];
	bool csi = sc->state == SCAN_CSI;

	if (sc->len > SEQUENCE_MAX) {
		end(f, false);
		return;
	}
	const char *raw = whole(f, &len);

	if (sc->controls) {
		for (size_t i = 0; i < len; i++)
			if (i == 0 || (raw[i] >= 0x20 && raw[i] < 0x7f))
				clean[n++] = raw[i];
		raw = clean;
		len = n;
	}
	end(f,
	    csi ? sequence_csi(f->s, raw, len) : sequence_esc(f->s, raw, len));
}

static void done_string(struct feed *f, bool bel)
{
	size_t len, skip = f->s->scan.controls, tail = bel ? 1 : 2;

	if (f->s->scan.over) {
		end(f, true);
		return;
	}
	const char *raw = whole(f, &len);

	end(f, string_done(f->s, f->s->scan.kind, raw + 2 + skip,
			   len - 2 - skip - tail, bel));
}

/* A control byte inside ESC or CSI acts at once, as in every terminal. */
static bool control_inside(struct feed *f, unsigned char c)
{
	if (c == 0x1b) {
		f->pos--;
		end(f, false);
		begin(f, f->pos++);
	} else if (c == 0x18 || c == 0x1a) {
		end(f, true);
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
		end(f, true);
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
	if (sc->state >= SCAN_STRING && sc->len > STRING_MAX && !sc->over) {
		pass(f->s, sc->hold.data, sc->hold.len);
		buf_clear(&sc->hold);
		sc->over = true;
	}
}

/* What is unfinished at the end of the feed. */
static void keep_rest(struct feed *f, size_t len)
{
	struct scanner *sc = &f->s->scan;
	size_t to = len;

	if (sc->state != SCAN_GROUND && !sc->over) {
		to = f->seq;
		/* An endless CSI is not kept: it will not be read. */
		if (sc->hold.len <= STRING_MAX && sc->state >= SCAN_STRING)
			buf_add(&sc->hold, f->data + to, len - to);
		else if (sc->hold.len <= SEQUENCE_MAX)
			buf_add(&sc->hold, f->data + to,
				len - to > SEQUENCE_MAX ? SEQUENCE_MAX + 1
							: len - to);
	}
	pass(f->s, f->data + f->passed, to - f->passed);
}

/*
 * Text up to a position. ENQ asks for the answerback: ours is empty, and
 * that of a client's terminal is not wanted.
 */
static void text(struct feed *f, size_t to)
{
	size_t from = f->pos;
	const char *enq;

	if (to == from)
		return;
	model_text(f->s->model, f->data + from, to - from);
	f->pos = to;
	while ((enq = memchr(f->data + from, 0x05, to - from))) {
		from = (size_t)(enq - f->data) + 1;
		pass(f->s, f->data + f->passed, from - 1 - f->passed);
		f->passed = from;
	}
}

void screen_feed(struct screen *s, const char *data, size_t len)
{
	struct feed f = {.s = s, .data = data};

	if (len == 0)
		return;
	s->revision++;
	while (f.pos < len) {
		if (s->scan.state != SCAN_GROUND) {
			step(&f);
			continue;
		}
		const char *esc = memchr(data + f.pos, 0x1b, len - f.pos);

		text(&f, esc ? (size_t)(esc - data) : len);
		if (esc)
			begin(&f, f.pos++);
	}
	keep_rest(&f, len);
	/* Callbacks may have looked in the middle of it. */
	s->revision++;
}
