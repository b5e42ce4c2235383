/*
 * sgr.c - a reader of SGR sequences that cannot be surprised.
 *
 * Parameters are collected up to a bound; ':' separates sub-parameters as
 * ';' does parameters, so that 38:2::r:g:b and 38;2;r;g;b both work.
 */
#include "tui/sgr.h"

#include <string.h>

#include "base/utf8.h"

#define PARAMS_MAX 32

struct params {
	int v[PARAMS_MAX];    /* -1: left out */
	bool sub[PARAMS_MAX]; /* came after a ':' */
	size_t n;
};

void sgr_init(struct sgr *s, const char *text, size_t len, struct style style)
{
	*s = (struct sgr){.at = text, .end = text + len, .style = style};
}

static int byte_of(const struct params *p, size_t i)
{
	int v = i < p->n ? p->v[i] : 0;

	return v < 0 ? 0 : v > 255 ? 255 : v;
}

/* 38 and 48: reads the colour behind parameter i; returns the last used. */
static size_t colour(const struct params *p, size_t i, int32_t *out)
{
	bool colons = i + 1 < p->n && p->sub[i + 1];
	size_t last = i;

	if (i + 1 >= p->n)
		return i;
	/* With colons all that belongs together hangs together. */
	while (colons && last + 1 < p->n && p->sub[last + 1])
		last++;
	if (p->v[i + 1] == 5) {
		*out = byte_of(p, i + 2);
		return colons ? last : i + 2;
	}
	if (p->v[i + 1] == 2) {
		size_t at = i + 2;

		/* 38:2:<space>:r:g:b has one more than 38;2;r;g;b. */
		if (colons && last - i >= 5)
			at++;
		*out = STYLE_RGB(byte_of(p, at), byte_of(p, at + 1),
				 byte_of(p, at + 2));
		return colons ? last : i + 4;
	}
	return colons ? last : i + 1;
}

static unsigned attr_of(int code)
{
	switch (code) {
	case 1:
		return STYLE_BOLD;
	case 2:
		return STYLE_DIM;
	case 3:
		return STYLE_ITALIC;
	case 4:
	case 21:
		return STYLE_UNDERLINE;
	case 5:
	case 6:
		return STYLE_BLINK;
	case 7:
		return STYLE_REVERSE;
	case 8:
		return STYLE_HIDDEN;
	case 9:
		return STYLE_STRIKE;
	default:
		return 0;
	}
}

static unsigned attr_ended_by(int code)
{
	return code == 22 ? STYLE_BOLD | STYLE_DIM : attr_of(code - 20);
}

static void apply(struct style *st, const struct params *p)
{
	for (size_t i = 0; i < p->n; i++) {
		int c = p->v[i] < 0 ? 0 : p->v[i];

		if (c == 0)
			*st = STYLE_PLAIN;
		else if (c == 4 && i + 1 < p->n && p->sub[i + 1])
			/* 4:0 is no underline, 4:3 a curly one. */
			st->attrs = p->v[++i] == 0
					? st->attrs & ~STYLE_UNDERLINE
					: st->attrs | STYLE_UNDERLINE;
		else if (c < 10 || c == 21)
			st->attrs |= attr_of(c);
		else if (c >= 22 && c <= 29)
			st->attrs &= ~attr_ended_by(c);
		else if (c >= 30 && c <= 37)
			st->fg = c - 30;
		else if (c == 38)
			i = colour(p, i, &st->fg);
		else if (c == 39)
			st->fg = STYLE_DEFAULT;
		else if (c >= 40 && c <= 47)
			st->bg = c - 40;
		else if (c == 48)
			i = colour(p, i, &st->bg);
		else if (c == 49)
			st->bg = STYLE_DEFAULT;
		else if (c == 58) {
			int32_t unused;

			i = colour(p, i, &unused);
		} else if (c >= 90 && c <= 97)
			st->fg = c - 90 + 8;
		else if (c >= 100 && c <= 107)
			st->bg = c - 100 + 8;
	}
}

/* Behind ESC [: reads to the final byte; applies it where it is an SGR. */
static void csi(struct sgr *s)
{
	struct params p = {.v = {-1}, .n = 1};
	bool plain = true;

	for (; s->at < s->end; s->at++) {
		unsigned char c = (unsigned char)*s->at;
		int *v = &p.v[p.n - 1];

		if (c >= '0' && c <= '9') {
			*v = (*v < 0 ? 0 : *v) * 10 + (c - '0');
			if (*v > 9999)
				*v = 9999;
		} else if (c == ';' || c == ':') {
			if (p.n == PARAMS_MAX) {
				plain = false;
				continue;
			}
			p.sub[p.n] = c == ':';
			p.v[p.n++] = -1;
		} else if (c >= 0x20 && c <= 0x3f) {
			plain = false; /* private or intermediate */
		} else {
			break;
		}
	}
	if (s->at == s->end)
		return;
	/* A control byte or a new ESC ends a sequence that is none. */
	if ((unsigned char)*s->at < 0x40 || (unsigned char)*s->at > 0x7e)
		return;
	if (*s->at == 'm' && plain)
		apply(&s->style, &p);
	s->at++;
}

/* Behind ESC and one of ] P X ^ _: up to BEL or ST. */
static void string(struct sgr *s)
{
	for (; s->at < s->end; s->at++) {
		if (*s->at == '\a') {
			s->at++;
			return;
		}
		if (*s->at == '\033') {
			s->at++;
			if (s->at < s->end && *s->at == '\\')
				s->at++;
			return;
		}
	}
}

/* At ESC. */
static void escape(struct sgr *s)
{
	s->at++;
	if (s->at == s->end)
		return;
	if (*s->at == '[') {
		s->at++;
		csi(s);
		return;
	}
	if (strchr("]PX^_", *s->at)) {
		s->at++;
		string(s);
		return;
	}
	while (s->at < s->end && *s->at >= 0x20 && *s->at <= 0x2f)
		s->at++;
	if (s->at < s->end && *s->at >= 0x30 && *s->at <= 0x7e)
		s->at++;
}

static bool left_out(uint32_t cp)
{
	return cp == 0x200d || (cp >= 0xfe00 && cp <= 0xfe0f) ||
	       (cp >= 0xe0100 && cp <= 0xe01ef) || cp == 0xad || cp == 0x34f ||
	       cp == 0x180e || cp == 0x115f || cp == 0x1160 || cp == 0x3164 ||
	       cp == 0xffa0;
}

bool sgr_next(struct sgr *s, uint32_t *cp, struct style *style)
{
	while (s->at < s->end) {
		size_t n;

		if (*s->at == '\033') {
			escape(s);
			continue;
		}
		n = utf8_decode(s->at, (size_t)(s->end - s->at), cp);
		if (n == 0)
			*cp = '?';
		else if (*cp == '\t' || *cp == '\n')
			*cp = ' ';
		else if (left_out(*cp)) {
			s->at += n;
			continue;
		} else if (utf8_cp_unsafe(*cp))
			*cp = '?';
		s->at += n ? n : 1;
		*style = s->style;
		return true;
	}
	return false;
}

int sgr_width(const char *text, size_t len)
{
	struct style style;
	struct sgr s;
	uint32_t cp;
	int width = 0;

	sgr_init(&s, text, len, STYLE_PLAIN);
	while (sgr_next(&s, &cp, &style))
		width += utf8_cp_width(cp);
	return width;
}
