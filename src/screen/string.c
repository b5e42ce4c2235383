/*
 * string.c - OSC, DCS and APC: the title, program status (7501),
 * notifications (9, 777) and questions about colours. A string that is not a
 * question goes on to the clients; the emulator needs none of them.
 */
#include "screen/internal.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

static void set_title(struct screen *s, const char *text, size_t len)
{
	char title[sizeof(s->title)];

	utf8_printable(title, sizeof(title), text, len);
	if (strcmp(title, s->title) == 0)
		return;
	memcpy(s->title, title, sizeof(title));
	if (s->ev.title)
		s->ev.title(s->ev.ctx, s->title);
}

static void notify(struct screen *s, const char *text, size_t len)
{
	char out[512];

	utf8_printable(out, sizeof(out), text, len);
	if (s->ev.notify)
		s->ev.notify(s->ev.ctx, out);
}

/* `notify;title;body` */
static void notify_777(struct screen *s, const char *text, size_t len)
{
	static const char word[] = "notify;";
	size_t n = sizeof(word) - 1;

	if (len < n || memcmp(text, word, n) != 0)
		return;
	char out[512];
	const char *body = memchr(text + n, ';', len - n);

	if (!body) {
		notify(s, text + n, len - n);
		return;
	}
	int k = snprintf(out, sizeof(out), "%.*s: %.*s",
			 (int)(body - text - (ptrdiff_t)n), text + n,
			 (int)(text + len - body - 1), body + 1);

	if (k > 0)
		notify(s, out,
		       (size_t)k < sizeof(out) ? (size_t)k : sizeof(out) - 1);
}

/* OSC 9 with a number in front is ConEmu's progress and the like. */
static void notify_9(struct screen *s, const char *text, size_t len)
{
	if (len && !(len >= 2 && text[0] >= '0' && text[0] <= '9' &&
		     (text[1] == ';' || (len > 2 && text[2] == ';'))))
		notify(s, text, len);
}

static bool program_status(struct screen *s, const char *text, size_t len)
{
	char out[STATUS_MAX + 1];

	if (len == 1 && *text == '?') {
		query_reply(s, "\033]7501;?\033\\");
		return false;
	}
	if (len <= STATUS_MAX && !memchr(text, 0, len)) {
		memcpy(out, text, len);
		out[len] = '\0';
		if (s->ev.program_status)
			s->ev.program_status(s->ev.ctx, out);
	}
	return true;
}

/* xterm's palette */
static uint32_t palette(int i)
{
	static const uint32_t base[16] = {
	    0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
	    0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
	    0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
	};
	static const uint32_t level[6] = {0, 95, 135, 175, 215, 255};

	if (i < 16)
		return base[i];
	if (i >= 232)
		return (uint32_t)(8 + 10 * (i - 232)) * 0x010101u;
	i -= 16;
	return level[i / 36] << 16 | level[i / 6 % 6] << 8 | level[i % 6];
}

static void colour_report(struct screen *s, const char *what, uint32_t c,
			  bool bel)
{
	unsigned r = c >> 16 & 255, g = c >> 8 & 255, b = c & 255;

	query_reply(s, "\033]%s;rgb:%02x%02x/%02x%02x/%02x%02x%s", what, r, r,
		    g, g, b, b, bel ? "\a" : "\033\\");
}

/* Splits at semicolons: the next field, its length in *n. */
static const char *field(const char **at, const char *end, size_t *n)
{
	const char *from = *at, *semi;

	if (from > end)
		return NULL;
	semi = memchr(from, ';', (size_t)(end - from));
	*n = (size_t)((semi ? semi : end) - from);
	*at = (semi ? semi : end) + 1;
	return from;
}

static bool asks(const char *text, size_t len)
{
	const char *at = text, *f;
	size_t n;

	while ((f = field(&at, text + len, &n)))
		if (n == 1 && *f == '?')
			return true;
	return false;
}

/* OSC 4: pairs of index and `?` */
static void palette_query(struct screen *s, const char *text, size_t len,
			  bool bel)
{
	const char *at = text, *f, *q;
	size_t n, k;

	while ((f = field(&at, text + len, &n)) &&
	       (q = field(&at, text + len, &k))) {
		char what[16];
		int i = 0;

		if (n == 0 || n > 3 || k != 1 || *q != '?')
			continue;
		for (size_t j = 0; j < n && i >= 0; j++)
			i = f[j] >= '0' && f[j] <= '9' ? i * 10 + f[j] - '0'
						       : -1;
		if (i < 0 || i > 255)
			continue;
		snprintf(what, sizeof(what), "4;%d", i);
		colour_report(s, what, palette(i), bel);
	}
}

/* OSC 10 and up: foreground, background, cursor, one after the other. */
static void default_query(struct screen *s, int number, const char *text,
			  size_t len, bool bel)
{
	const char *at = text, *f;
	size_t n;

	for (; number <= 12 && (f = field(&at, text + len, &n)); number++) {
		char what[16];

		if (n != 1 || *f != '?')
			continue;
		snprintf(what, sizeof(what), "%d", number);
		colour_report(s, what, number == 11 ? 0x000000 : 0xffffff, bel);
	}
}

static bool osc(struct screen *s, int number, const char *text, size_t len,
		bool bel)
{
	switch (number) {
	case 0:
	case 2:
		set_title(s, text, len);
		return true;
	case 4:
		if (!asks(text, len))
			return true;
		palette_query(s, text, len, bel);
		return false;
	case 5:
	case 21: /* kitty's colour protocol: key=? */
		return !asks(text, len) && !memchr(text, '?', len);
	case 9:
		notify_9(s, text, len);
		return true;
	case 52:
		return !asks(text, len);
	case 777:
		notify_777(s, text, len);
		return true;
	case 7501:
		return program_status(s, text, len);
	default:
		if (number < 10 || number > 19 || !asks(text, len))
			return true;
		default_query(s, number, text, len, bel);
		return false;
	}
}

/* kitty graphics: the control keys before `;` hold a=q. */
static bool graphics_query(const char *body, size_t len)
{
	const char *semi = memchr(body, ';', len);
	size_t n = semi ? (size_t)(semi - body) : len;

	return n && *body == 'G' && memmem(body, n, "a=q", 3);
}

bool string_done(struct screen *s, char kind, const char *body, size_t len,
		 bool bel)
{
	int number = 0;
	size_t i = 0;

	if (kind == 'P')
		return !query_dcs(s, body, len);
	if (kind == '_')
		return !graphics_query(body, len);
	if (kind != ']')
		return true;
	while (i < len && i < 5 && body[i] >= '0' && body[i] <= '9')
		number = number * 10 + (body[i++] - '0');
	if (i == 0 || (i < len && body[i] != ';'))
		return true;
	i += i < len;
	return osc(s, number, body + i, len - i, bel);
}
