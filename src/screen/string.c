/*
 * string.c - OSC, DCS and APC: the title, program status (7501),
 * notifications (9, 99, 777), the clipboard (52) and questions about colours.
 * To the clients go titles, links (8) and notifications, without anything in
 * them that could end the string; no colours, fonts, keys, files or logs.
 */
#include "screen/sequence.h"

#include <stdio.h>
#include <string.h>

#include "base/osc.h"
#include "base/utf8.h"
#include "screen/model.h"

#define NOTIFY_MAX 512

static void set_title(struct screen *s, int number, const char *text,
		      size_t len)
{
	char title[sizeof(s->title)];

	utf8_printable(title, sizeof(title), text, len);
	buf_addf(&s->instead, "\033]%d;%s\033\\", number, title);
	if (number == 1) /* of the icon */
		return;
	if (strcmp(title, s->title) == 0)
		return;
	memcpy(s->title, title, sizeof(title));
	if (s->ev.title)
		s->ev.title(s->ev.ctx, s->title);
}

static void notify(struct screen *s, const char *text, size_t len)
{
	char out[NOTIFY_MAX];

	utf8_printable(out, sizeof(out), text, len);
	if (s->ev.notify)
		s->ev.notify(s->ev.ctx, out);
}

/* Nothing that a terminal may take for the string's end, or obey. */
static bool harmless(const char *text, size_t len)
{
	uint32_t cp;

	for (size_t i = 0, n; i < len; i += n) {
		n = utf8_decode(text + i, len - i, &cp);
		if (n == 0 || cp < 0x20 || (cp >= 0x7f && cp < 0xa0))
			return false;
	}
	return true;
}

/* Not a question, and nothing but selections and base64. */
static void clipboard(struct screen *s, const char *text, size_t len)
{
	static const char plain[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	    "0123456789+/=";
	const char *semi = memchr(text, ';', len);

	for (const char *p = text; p < text + len; p++)
		if (p != semi && (!*p || !strchr(plain, *p)))
			return;
	if (semi && s->ev.clipboard)
		s->ev.clipboard(s->ev.ctx, text, len);
}

/* `notify;title;body` */
static bool notify_777(struct screen *s, const char *text, size_t len)
{
	static const char word[] = "notify;";
	size_t n = sizeof(word) - 1;

	if (len < n || memcmp(text, word, n) != 0)
		return false;
	char out[NOTIFY_MAX];
	const char *body = memchr(text + n, ';', len - n);

	if (!body) {
		notify(s, text + n, len - n);
		return true;
	}
	int k = snprintf(out, sizeof(out), "%.*s: %.*s",
			 (int)(body - text - (ptrdiff_t)n), text + n,
			 (int)(text + len - body - 1), body + 1);

	if (k > 0)
		notify(s, out,
		       (size_t)k < sizeof(out) ? (size_t)k : sizeof(out) - 1);
	return true;
}

/* OSC 9 with a number in front is ConEmu's progress and the like. */
static bool notify_9(struct screen *s, const char *text, size_t len)
{
	if (len == 0 || (len >= 2 && text[0] >= '0' && text[0] <= '9' &&
			 (text[1] == ';' || (len > 2 && text[2] == ';'))))
		return false;
	notify(s, text, len);
	return true;
}

/*
 * Kitty's: `key=value:…;text`, in parts that have the same id. Clients get it
 * as an OSC 9, which more terminals know, and which asks for no answer.
 */
static void notify_99(struct screen *s, const char *text, size_t len)
{
	struct notice *to = &s->notice;
	const char *semi = memchr(text, ';', len), *value;
	size_t head = semi ? (size_t)(semi - text) : 0, n;
	struct buf *part = NULL;
	char id[sizeof(to->id)], all[NOTIFY_MAX];

	value = osc_field(text, head, "p", &n);
	if (!semi || osc_is(value, n, "?") || osc_is(value, n, "close") ||
	    osc_is(value, n, "alive"))
		return;
	if (n == 0 || osc_is(value, n, "title"))
		part = &to->title;
	else if (osc_is(value, n, "body"))
		part = &to->body;
	value = osc_field(text, head, "i", &n);
	utf8_printable(id, sizeof(id), value, n);
	if (strcmp(id, to->id) != 0) {
		memcpy(to->id, id, sizeof(id));
		buf_clear(&to->title);
		buf_clear(&to->body);
	}
	value = osc_field(text, head, "e", &n);
	if (part && part->len < NOTIFY_MAX && osc_is(value, n, "1"))
		osc_base64(semi + 1, len - head - 1, part);
	else if (part && part->len < NOTIFY_MAX)
		buf_add(part, semi + 1, len - head - 1);
	value = osc_field(text, head, "d", &n);
	if (osc_is(value, n, "0"))
		return;
	if (to->title.len && to->body.len)
		buf_adds(&to->title, ": ");
	buf_add(&to->title, to->body.data, to->body.len);
	n = utf8_printable(all, sizeof(all), to->title.data, to->title.len);
	if (notify_9(s, all, n))
		buf_addf(&s->instead, "\033]9;%s\033\\", all);
	buf_clear(&to->title);
	buf_clear(&to->body);
}

static void program_status(struct screen *s, const char *text, size_t len)
{
	char out[STATUS_MAX + 1];

	if (len == 1 && *text == '?') {
		query_reply(s, "\033]7501;?\033\\");
		return;
	}
	if (len <= STATUS_MAX && !memchr(text, 0, len)) {
		memcpy(out, text, len);
		out[len] = '\0';
		if (s->ev.program_status)
			s->ev.program_status(s->ev.ctx, out);
	}
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
		colour_report(s, what, cell_palette(i), bel);
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
	case 1:
	case 2:
		set_title(s, number, text, len);
		return false;
	case 4:
		palette_query(s, text, len, bel);
		return false;
	case 8:
		if (!harmless(text, len))
			return false;
		decoration_link(s->model, text, len);
		return true;
	case 9:
		return notify_9(s, text, len) && harmless(text, len);
	case 52:
		clipboard(s, text, len);
		return false;
	case 99:
		notify_99(s, text, len);
		return false;
	case 777:
		return notify_777(s, text, len) && harmless(text, len);
	case 7501:
		program_status(s, text, len);
		return false;
	default:
		if (number >= 10)
			default_query(s, number, text, len, bel);
		return false;
	}
}

bool string_apply(struct screen *s, char kind, const char *body, size_t len,
		  bool bel)
{
	int number = 0;
	size_t i = 0;

	if (kind == 'P')
		query_dcs(s, body, len);
	if (kind != ']')
		return false;
	while (i < len && i < 5 && body[i] >= '0' && body[i] <= '9')
		number = number * 10 + (body[i++] - '0');
	if (i == 0 || (i < len && body[i] != ';'))
		return false;
	if (len > STRING_MAX && number != 52)
		return false;
	i += i < len;
	return osc(s, number, body + i, len - i, bel);
}
