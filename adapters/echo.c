/*
 * echo.c - does the screen show the text that was pasted?
 *
 * Composers wrap, indent and frame what they show, so both sides are
 * compared without blanks, box drawing and bars. What is looked for is the
 * text's end, because that is where the cursor is and what a long text
 * still shows.
 */
#include "adapters/echo.h"

#include <stdint.h>
#include <string.h>

#include "adapters/adapter.h"
#include "adapters/guard.h"
#include "adapters/rules.h"
#include "base/utf8.h"

#define TAIL_BYTES     60
#define ROWS_ABOVE     30
#define COUNT_AT_LEAST 3 /* bytes; less is on every screen somewhere */

static bool is_frame(uint32_t cp)
{
	return cp <= ' ' || cp == 0xa0 || cp == '|' ||
	       (cp >= 0x2500 && cp <= 0x259f);
}

void echo_squeeze(const char *s, size_t len, struct buf *out)
{
	uint32_t cp = 0;

	for (size_t i = 0; i < len;) {
		size_t n = utf8_decode(s + i, len - i, &cp);

		if (n == 0)
			i++;
		else if (!is_frame(cp))
			buf_add(out, s + i, n);
		i += n;
	}
}

void echo_tail(const char *text, size_t len, size_t max, struct buf *out)
{
	size_t start = out->len;

	while (len > 0 && out->len == start) {
		const char *nl = memrchr(text, '\n', len);
		size_t line = nl ? (size_t)(nl - text) + 1 : 0;

		echo_squeeze(text + line, len - line, out);
		len = nl ? (size_t)(nl - text) : 0;
	}
	if (out->len - start > max) {
		size_t cut = out->len - max;
		size_t keep;

		while (cut < out->len && (out->data[cut] & 0xc0) == 0x80)
			cut++;
		keep = out->len - cut;
		memmove(out->data + start, out->data + cut, keep);
		out->len = start + keep;
		out->data[out->len] = '\0';
	}
}

/* The bytes of row that stand left of column col. */
static size_t bytes_before(const char *row, int col)
{
	size_t len = strlen(row), i = 0;
	int at = 0;
	uint32_t cp = 0;

	while (i < len) {
		size_t n = utf8_decode(row + i, len - i, &cp);

		at += n ? utf8_cp_width(cp) : 1;
		if (at > col)
			break;
		i += n ? n : 1;
	}
	return i;
}

static bool at_cursor(const struct view *v, const struct buf *tail)
{
	struct buf seen = {0};
	bool hit;

	if (v->cursor_row < 0 || (size_t)v->cursor_row >= v->nrows)
		return false;
	for (int row = v->cursor_row > ROWS_ABOVE ? v->cursor_row - ROWS_ABOVE
						  : 0;
	     row <= v->cursor_row; row++)
		echo_squeeze(v->rows[row],
			     row < v->cursor_row
				 ? strlen(v->rows[row])
				 : bytes_before(v->rows[row], v->cursor_col),
			     &seen);
	hit = seen.len >= tail->len && memcmp(seen.data + seen.len - tail->len,
					      tail->data, tail->len) == 0;
	buf_finish(&seen);
	return hit;
}

static size_t count(const struct view *v, const struct buf *tail)
{
	struct buf seen = {0};
	const char *s, *hit;
	size_t n = 0;

	for (size_t row = 0; row < v->nrows; row++)
		echo_squeeze(v->rows[row], strlen(v->rows[row]), &seen);
	for (s = seen.data; s && (hit = strstr(s, tail->data)); n++)
		s = hit + tail->len;
	buf_finish(&seen);
	return n;
}

static size_t count_collapsed(const struct rules *r, const struct view *v)
{
	size_t n = 0;

	for (size_t row = 0; row < v->nrows; row++)
		n += rules_match(r, "collapsed", v->rows[row], NULL, 0);
	return n;
}

bool echo_collapsed(const struct rules *r, const struct view *before,
		    const struct view *now)
{
	return rules_has(r, "collapsed") &&
	       count_collapsed(r, now) > count_collapsed(r, before);
}

bool echo_seen(const struct rules *r, const struct view *before,
	       const struct view *now, const char *text, size_t len)
{
	size_t joiner = strlen(GUARD_JOINER);
	struct buf tail = {0};
	bool seen;

	/* A screen shows nothing of it. */
	if (len >= joiner && memcmp(text, GUARD_JOINER, joiner) == 0) {
		text += joiner;
		len -= joiner;
	}
	if (len >= joiner &&
	    memcmp(text + len - joiner, GUARD_JOINER, joiner) == 0)
		len -= joiner;
	echo_tail(text, len, TAIL_BYTES, &tail);
	seen = tail.len == 0 || at_cursor(now, &tail) ||
	       (tail.len >= COUNT_AT_LEAST &&
		count(now, &tail) > count(before, &tail)) ||
	       echo_collapsed(r, before, now);
	buf_finish(&tail);
	return seen;
}
