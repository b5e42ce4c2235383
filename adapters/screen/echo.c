/*
 * echo.c - checks whether the screen shows the pasted text.
 *
 * Composers wrap, indent and frame text, so both sides are compared without
 * blanks, box drawing and bars. The text's end is searched, because the cursor
 * is there and it is visible even if the text is long.
 */
#include "adapters/screen/echo.h"

#include <stdint.h>
#include <string.h>

#include "adapters/adapter.h"
#include "adapters/screen/rules.h"
#include "base/cleanup.h"
#include "base/utf8.h"

#define TAIL_BYTES     60
#define ROWS_ABOVE     30
#define COUNT_AT_LEAST 3 /* bytes; every screen contains shorter texts */

/*
 * Appends the end of the text, squeezed: its last line that is not blank, at
 * most the last bytes (whole characters). Nothing for blank text.
 */
static void tail_of(const char *text, size_t len, struct buf *out)
{
	size_t start = out->len;

	while (len > 0 && out->len == start) {
		const char *nl = memrchr(text, '\n', len);
		size_t line = nl ? (size_t)(nl - text) + 1 : 0;

		row_squeeze(text + line, len - line, out);
		len = nl ? (size_t)(nl - text) : 0;
	}
	if (out->len - start > TAIL_BYTES) {
		size_t cut = out->len - TAIL_BYTES;
		size_t keep;

		while (cut < out->len && (out->data[cut] & 0xc0) == 0x80)
			cut++;
		keep = out->len - cut;
		memmove(out->data + start, out->data + cut, keep);
		out->len = start + keep;
		out->data[out->len] = '\0';
	}
}

/* Returns the number of bytes of row left of column col. */
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

static bool at_cursor(const struct screen_view *v, const struct buf *tail)
{
	_buf_ struct buf seen = {0};

	if (v->cursor_row < 0 || (size_t)v->cursor_row >= v->nrows)
		return false;
	for (int row = v->cursor_row > ROWS_ABOVE ? v->cursor_row - ROWS_ABOVE
						  : 0;
	     row <= v->cursor_row; row++)
		row_squeeze(v->rows[row],
			    row < v->cursor_row
				? strlen(v->rows[row])
				: bytes_before(v->rows[row], v->cursor_col),
			    &seen);
	return seen.len >= tail->len && memcmp(seen.data + seen.len - tail->len,
					       tail->data, tail->len) == 0;
}

static bool is_mark(uint32_t cp)
{
	return (cp >= 0x300 && cp <= 0x36f) || (cp >= 0x1ab0 && cp <= 0x1aff) ||
	       (cp >= 0x20d0 && cp <= 0x20ff) || cp == 0x3099 || cp == 0x309a;
}

/* True for characters that programs compose, join or draw differently. */
static bool is_composed(uint32_t cp)
{
	return is_mark(cp) || utf8_cp_width(cp) <= 0 || cp >= 0x1f000 ||
	       (cp >= 0xc0 && cp <= 0x24f) || (cp >= 0x1e00 && cp <= 0x1eff) ||
	       (cp >= 0x2600 && cp <= 0x27bf) || (cp >= 0xfe00 && cp <= 0xfe0f);
}

/*
 * Appends it squeezed, and without characters that a harness may show
 * differently: "e" and an accent as one, families of emoji in pieces.
 */
static void skeleton(const char *s, size_t len, struct buf *out)
{
	_buf_ struct buf squeezed = {0};
	uint32_t cp = 0;
	size_t start = out->len;

	row_squeeze(s, len, &squeezed);
	for (size_t i = 0; i < squeezed.len;) {
		size_t n =
		    utf8_decode(squeezed.data + i, squeezed.len - i, &cp);

		if (is_mark(cp))
			out->len = start; /* with the letter that it modifies */
		start = out->len;
		if (!is_composed(cp))
			buf_add(out, squeezed.data + i, n);
		i += n;
	}
	if (out->data)
		out->data[out->len] = '\0';
}

/* The same for the text's end, over any number of lines. */
static void skeleton_tail(const char *text, size_t len, struct buf *out)
{
	size_t at = len > TAIL_BYTES ? len - TAIL_BYTES : 0;

	while (at < len && (text[at] & 0xc0) == 0x80)
		at++;
	skeleton(text + at, len - at, out);
}

typedef void squeeze_fn(const char *s, size_t len, struct buf *out);

static size_t count(const struct screen_view *v, const struct buf *tail,
		    squeeze_fn *squeeze)
{
	_buf_ struct buf seen = {0};
	const char *s, *hit;
	size_t n = 0;

	for (size_t row = 0; row < v->nrows; row++)
		squeeze(v->rows[row], strlen(v->rows[row]), &seen);
	for (s = seen.data; s && (hit = strstr(s, tail->data)); n++)
		s = hit + tail->len;
	return n;
}

static size_t count_collapsed(const struct rules *r,
			      const struct screen_view *v)
{
	size_t n = 0;

	for (size_t row = 0; row < v->nrows; row++)
		n += rules_match(r, "collapsed", v->rows[row], NULL, 0);
	return n;
}

/* Counts characters, without combining marks. */
static size_t characters(const struct buf *b)
{
	size_t n = 0, len;
	uint32_t cp = 0;

	for (size_t i = 0; i < b->len; i += len ? len : 1) {
		len = utf8_decode(b->data + i, b->len - i, &cp);
		n += len == 0 || !is_mark(cp);
	}
	return n;
}

static bool ends_with(const struct buf *b, const struct buf *tail)
{
	return b->len >= tail->len &&
	       (tail->len == 0 || memcmp(b->data + b->len - tail->len,
					 tail->data, tail->len) == 0);
}

bool echo_is_end(const struct buf *shown, const char *text, size_t len)
{
	_buf_ struct buf all = {0}, bones = {0}, seen = {0};
	bool is;

	row_squeeze(text, len, &all);
	is = ends_with(&all, shown);
	if (!is && characters(shown) <= characters(&all)) {
		skeleton(text, len, &bones);
		skeleton(shown->data, shown->len, &seen);
		is = ends_with(&bones, &seen);
	}
	return is;
}

/* The composer: rows from row to end (exclusive); its text begins at byte from
 * of the first row and has len bytes in the last row. */
struct text_field {
	int row, end;
	size_t from, len;
};

static bool contains_only(const struct rules *r, const struct screen_view *v,
			  const struct text_field *f, const char *text,
			  size_t len)
{
	_buf_ struct buf shown = {0}, rest = {0};
	bool collapsed = false;

	for (int row = f->row; row < f->end; row++) {
		const char *s = v->solid[row];
		size_t from = row == f->row ? f->from : 0, a, b;
		size_t n = row == f->end - 1 ? f->len : strlen(s);

		if (from > n)
			from = n;
		row_squeeze(s + from, n - from, &shown);
		if (!rules_span(r, "collapsed", s, true, &a, &b) || b > n) {
			row_squeeze(s + from, n - from, &rest);
			continue;
		}
		collapsed = true;
		/* A pattern may match without its end. */
		if (b == a || s[b - 1] != ']') {
			b += strcspn(s + b, " []");
			b += s[b] == ']';
		}
		b = b > n ? n : b;
		if (a > from)
			row_squeeze(s + from, a - from, &rest);
		row_squeeze(s + b, n - b, &rest);
	}
	return (collapsed && rest.len == 0) || echo_is_end(&shown, text, len);
}

bool echo_rows_contain(const struct rules *r, const struct screen_view *v,
		       int row, int end, const char *text, size_t len)
{
	struct text_field f = {.row = row, .end = end};

	if (row >= end)
		return false;
	f.len = strlen(v->solid[end - 1]);
	return contains_only(r, v, &f, text, len);
}

/*
 * False if the composer contains something besides the text: it begins at
 * `composer` and ends at the cursor or `composer_end`. If the text is longer
 * than the composer, its end is enough.
 */
static bool is_alone(const struct rules *r, const struct screen_view *v,
		     const char *text, size_t len)
{
	struct text_field f = {.row = -1};
	int end, last = (int)v->nrows;
	size_t to;

	/* At the start of a shell command the `!` is the prompt. */
	if (len > 0 && text[0] == '!')
		return true;
	f.row = rules_composer(r, v, 0);
	if (f.row < 0 || !rules_composer_span(r, v->solid[f.row], &f.from, &to))
		return true;
	end = rules_composer_end(r, v, f.row);
	if (v->cursor_row >= f.row && v->cursor_row < end) {
		f.end = v->cursor_row + 1;
		f.len = bytes_before(v->solid[v->cursor_row], v->cursor_col);
		if (contains_only(r, v, &f, text, len))
			return true;
	}
	if (end == last)
		return v->cursor_row < f.row || v->cursor_row >= last;
	f.end = end;
	f.len = strlen(v->solid[end - 1]);
	return contains_only(r, v, &f, text, len);
}

static bool once_more(const struct screen_view *before,
		      const struct screen_view *now, const struct buf *tail,
		      squeeze_fn *squeeze)
{
	return tail->len >= COUNT_AT_LEAST &&
	       count(now, tail, squeeze) > count(before, tail, squeeze);
}

bool echo_seen(const struct rules *r, const struct screen_view *before,
	       const struct screen_view *now, const char *text, size_t len)
{
	_buf_ struct buf tail = {0}, bones = {0};
	bool seen;

	tail_of(text, len, &tail);
	skeleton_tail(text, len, &bones);
	seen = tail.len == 0 || at_cursor(now, &tail) ||
	       once_more(before, now, &tail, row_squeeze) ||
	       once_more(before, now, &bones, skeleton) ||
	       count_collapsed(r, now) > count_collapsed(r, before);
	seen = seen && is_alone(r, now, text, len);
	return seen;
}
