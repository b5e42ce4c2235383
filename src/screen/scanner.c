/*
 * scanner.c - where sequences begin and end.
 *
 * Text goes to the model and to the clients as valid UTF-8: a byte outside a
 * character becomes U+FFFD for both. Some terminals obey the bytes 0x80 to 0x9f
 * as C1 controls; here they are not. A sequence is checked when it is complete:
 * an allowed one is passed to the clients unchanged, any other is dropped. An
 * unfinished sequence is held until the next feed, within bounds. A sequence
 * that another one interrupts has no meaning for any terminal and is dropped,
 * so that later output cannot complete it unchecked.
 */
#include "screen/sequence.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"

#define ENQ	    0x05
#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* One feed: bytes from `passed` on are not handed to the clients yet. */
struct feed {
	struct screen *s;
	const char *data;
	size_t pos, passed, seq;
};

static void pass_bytes(struct screen *s, const char *data, size_t len)
{
	if (len && s->ev.pass)
		s->ev.pass(s->ev.ctx, data, len);
}

static void begin_sequence(struct feed *f, size_t at)
{
	struct scanner *sc = &f->s->scan;

	f->seq = at;
	sc->state = SCAN_ESC;
	sc->len = 1;
	sc->controls = 0;
	buf_clear(&sc->hold);
}

/* Ends the sequence at f->pos. keep: passes it to the clients, else its
 * replacement. */
static void end_sequence(struct feed *f, bool keep)
{
	struct scanner *sc = &f->s->scan;
	struct buf *instead = &f->s->instead;

	if (keep) {
		pass_bytes(f->s, sc->hold.data, sc->hold.len);
	} else {
		pass_bytes(f->s, f->data + f->passed, f->seq - f->passed);
		pass_bytes(f->s, instead->data, instead->len);
		buf_clear(instead);
		f->passed = f->pos;
	}
	if (sc->hold.len > STRING_MAX)
		buf_finish(&sc->hold);
	buf_clear(&sc->hold);
	sc->state = SCAN_GROUND;
}

/* The sequence as one run of bytes. */
static const char *join_sequence(struct feed *f, size_t *len)
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
	/* end_sequence() passes the held part only: the rest is still in the
	 * feed. */
	hold->len = before;
	return hold->data;
}

/* Applies the sequence; returns whether the clients may have it. */
static bool apply_sequence(struct feed *f, const char *raw, size_t len)
{
	return f->s->scan.state == SCAN_CSI ? sequence_csi(f->s, raw, len)
					    : sequence_esc(f->s, raw, len);
}

/* Ends an ESC or CSI sequence; the control bytes in it have acted already. */
static void handle_sequence(struct feed *f)
{
	struct scanner *sc = &f->s->scan;
	size_t len, n = 0;
	char clean[SEQUENCE_MAX];

	if (sc->len > SEQUENCE_MAX) {
		end_sequence(f, false);
		return;
	}
	const char *raw = join_sequence(f, &len);

	if (sc->controls == 0) {
		end_sequence(f, apply_sequence(f, raw, len));
		return;
	}
	for (size_t i = 0; i < len; i++)
		if (i == 0 || (raw[i] >= 0x20 && raw[i] < 0x7f))
			clean[n++] = raw[i];
		else if (raw[i] != ENQ)
			buf_addc(&f->s->instead, raw[i]);
	if (apply_sequence(f, clean, n))
		buf_add(&f->s->instead, clean, n);
	end_sequence(f, false);
}

static void handle_string(struct feed *f, bool bel)
{
	struct scanner *sc = &f->s->scan;
	size_t len, skip = 2 + sc->controls, tail = bel ? 1 : 2;

	if (sc->len > CLIPBOARD_MAX) {
		end_sequence(f, false);
		return;
	}
	const char *raw = join_sequence(f, &len);
	bool keep =
	    string_apply(f->s, sc->kind, raw + skip, len - skip - tail, bel);

	end_sequence(f, keep && sc->controls == 0);
}

/* A control byte inside ESC or CSI acts at once, as in every terminal. */
static bool control_inside(struct feed *f, unsigned char c)
{
	if (c == 0x1b) {
		f->pos--;
		end_sequence(f, false);
		begin_sequence(f, f->pos++);
	} else if (c == 0x18 || c == 0x1a) {
		end_sequence(f, false);
	} else if (c < 0x20) {
		f->s->scan.controls++;
		model_text(f->s->model, (const char *)&c, 1);
	} else if (c >= 0x80) {
		f->pos--;
		end_sequence(f, false);
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
		handle_sequence(f);
	}
}

static void step_csi(struct feed *f, unsigned char c)
{
	if (!control_inside(f, c) && c >= 0x40)
		handle_sequence(f);
}

static void step_string(struct feed *f, unsigned char c)
{
	struct scanner *sc = &f->s->scan;

	if (c == 0x1b)
		sc->state = SCAN_STRING_ESC;
	else if (c == 0x07 && sc->kind == ']')
		handle_string(f, true);
	else if (c == 0x18 || c == 0x1a)
		end_sequence(f, false);
}

static void step_string_esc(struct feed *f, unsigned char c)
{
	if (c == '\\') {
		handle_string(f, false);
		return;
	}
	/* The string is interrupted; the ESC before c begins a sequence. */
	f->pos--;
	if (f->pos == 0) {
		/* That ESC came with the feed before. */
		f->seq = 0;
		end_sequence(f, false);
		begin_sequence(f, 0);
		buf_add(&f->s->scan.hold, "\033", 1);
	} else {
		size_t esc = f->pos - 1;

		if (f->seq > esc)
			f->seq = esc;
		f->pos = esc;
		end_sequence(f, false);
		begin_sequence(f, esc);
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

/* The sequence that begins at f->pos, if it is a CSI sequence, whole in this
 * feed and of the usual bytes; anything else goes step by step. */
static bool take_csi(struct feed *f, size_t len)
{
	size_t i = f->pos + 2;

	if (len - f->pos < 3 || f->data[f->pos + 1] != '[')
		return false;
	len = len - f->pos < SEQUENCE_MAX ? len : f->pos + SEQUENCE_MAX;
	while (i < len && f->data[i] >= 0x20 && f->data[i] < 0x40)
		i++;
	if (i == len || f->data[i] < 0x40 || f->data[i] == 0x7f)
		return false;
	f->seq = f->pos;
	f->pos = i + 1;
	end_sequence(f, sequence_csi(f->s, f->data + f->seq, f->pos - f->seq));
	return true;
}

/* What is unfinished at the end of the feed. */
static void keep_rest(struct feed *f, size_t len)
{
	struct scanner *sc = &f->s->scan;
	size_t to = len;

	if (sc->state != SCAN_GROUND) {
		to = f->seq;
		/* A sequence that is too long is not kept. */
		if (sc->len <=
		    (sc->state >= SCAN_STRING ? CLIPBOARD_MAX : SEQUENCE_MAX))
			buf_add(&sc->hold, f->data + to, len - to);
		else
			buf_finish(&sc->hold);
	}
	pass_bytes(f->s, f->data + f->passed, to - f->passed);
}

/* Leaves out of what clients get the next n bytes. */
static void leave_out(struct feed *f, size_t n)
{
	pass_bytes(f->s, f->data + f->passed, f->pos - f->passed);
	f->pos += n;
	f->passed = f->pos;
}

/* How much of s a terminal may get as it is. ENQ asks for the answerback: ours
 * is empty, and that of a client's terminal is not wanted. */
static size_t clean_run(const char *s, size_t len)
{
	size_t i = 0, n;
	uint32_t cp;

	for (; i < len; i += n) {
		n = ascii_run(s + i, len - i, 0, 0x7f, ENQ, ENQ);
		if (n > 0)
			continue;
		n = utf8_decode(s + i, len - i, &cp);
		if (n == 0 || cp < 0xa0)
			break;
	}
	return i;
}

/* What ended the clean run: ENQ, a C1 control in UTF-8, or no character. */
static void drop(struct feed *f, size_t len)
{
	const char *at = f->data + f->pos;
	uint32_t cp;
	size_t n = utf8_decode(at, len, &cp);

	if (n > 0) {
		leave_out(f, n);
		return;
	}
	for (n = len < 3 ? len : 3; n > 1 && utf8_whole(at, n) > 0; n--)
		;
	leave_out(f, n);
	model_text(f->s->model, REPLACEMENT, strlen(REPLACEMENT));
	pass_bytes(f->s, REPLACEMENT, strlen(REPLACEMENT));
}

/* Text up to a position; last: the feed ends there. */
static void text(struct feed *f, size_t to, bool last)
{
	struct scanner *sc = &f->s->scan;

	while (f->pos < to) {
		const char *at = f->data + f->pos;
		size_t n = clean_run(at, to - f->pos);

		model_text(f->s->model, at, n);
		f->pos += n;
		at += n;
		n = to - f->pos;
		if (n > 0 && last && utf8_whole(at, n) == 0) {
			memcpy(sc->part, at, n);
			sc->part_len = n;
			leave_out(f, n);
		} else if (n > 0) {
			drop(f, n);
		}
	}
}

/* The character that the feed before this one left unfinished. */
static void finish_part(struct feed *f, size_t len)
{
	struct scanner *sc = &f->s->scan;
	struct feed part = {.s = f->s, .data = sc->part};

	while (f->pos < len && (f->data[f->pos] & 0xc0) == 0x80 &&
	       utf8_whole(sc->part, sc->part_len) == 0)
		sc->part[sc->part_len++] = f->data[f->pos++];
	f->passed = f->pos;
	if (f->pos == len && utf8_whole(sc->part, sc->part_len) == 0)
		return;
	text(&part, sc->part_len, false);
	pass_bytes(f->s, sc->part + part.passed, part.pos - part.passed);
	sc->part_len = 0;
}

void screen_feed(struct screen *s, const char *data, size_t len)
{
	struct feed f = {.s = s, .data = data};

	if (len == 0)
		return;
	s->revision++;
	if (s->scan.part_len)
		finish_part(&f, len);
	while (f.pos < len) {
		if (s->scan.state != SCAN_GROUND) {
			step(&f);
			continue;
		}
		const char *esc = memchr(data + f.pos, 0x1b, len - f.pos);

		text(&f, esc ? (size_t)(esc - data) : len, !esc);
		if (esc && !take_csi(&f, len))
			begin_sequence(&f, f.pos++);
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
