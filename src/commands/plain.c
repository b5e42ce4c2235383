/*
 * plain.c - a terminal's output as lines of text.
 *
 * Far less than a terminal: no colours, no tabs stops but every eighth, no
 * character sets. It only has to know where text stands, and when a row is
 * done with. The sequences are read by plain_parse.c.
 */
#include "commands/plain_screen.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

#define MAX_COLS  1000
#define MAX_ROWS  300
#define CARRY_MAX ((size_t)64 * 1024)

static struct plain_row *row_create(int cols)
{
	struct plain_row *r = mem_alloc(sizeof *r);

	r->cells = mem_alloc((size_t)cols * sizeof *r->cells);
	r->told = true;
	return r;
}

static void row_destroy(struct plain_row *r)
{
	if (r)
		free(r->cells);
	free(r);
}

static void row_clear(struct plain_row *r, int cols)
{
	memset(r->cells, 0, (size_t)cols * sizeof *r->cells);
	r->told = true;
	r->wraps = false;
}

static int clamp(int v, int lo, int hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

struct plain *plain_create(int cols, int rows, plain_line_fn fn, void *ctx)
{
	struct plain *p = mem_alloc(sizeof *p);

	p->fn = fn;
	p->ctx = ctx;
	p->cols = clamp(cols, 1, MAX_COLS);
	p->rows = clamp(rows, 1, MAX_ROWS);
	p->bottom = p->rows - 1;
	p->row = mem_alloc((size_t)p->rows * sizeof *p->row);
	for (int i = 0; i < p->rows; i++)
		p->row[i] = row_create(p->cols);
	return p;
}

void plain_destroy(struct plain *p)
{
	if (!p)
		return;
	for (int i = 0; i < p->rows; i++)
		row_destroy(p->row[i]);
	free(p->row);
	buf_finish(&p->carry);
	free(p);
}

static uint32_t hash(const char *s, size_t len)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	return h ? h : 1;
}

/* Whether a screen program's line was told a short while ago. */
static bool seen(struct plain *p, const char *s, size_t len)
{
	uint32_t h = hash(s, len);

	for (size_t i = 0; i < PLAIN_SEEN; i++)
		if (p->seen[i] == h)
			return true;
	p->seen[p->seen_at] = h;
	p->seen_at = (p->seen_at + 1) % PLAIN_SEEN;
	return false;
}

static void tell(struct plain *p, const char *s, size_t len)
{
	while (len && s[len - 1] == ' ')
		len--;
	if (p->screen && len == 0 && p->blank)
		return;
	if (len && seen(p, s, len) && p->screen)
		return;
	p->blank = len == 0;
	p->fn(p->ctx, p->now, s ? s : "", len);
}

static void add_row(const struct plain *p, int y, struct buf *out)
{
	const struct plain_row *r = p->row[y];
	int last = p->cols;

	while (last > 0 && !r->cells[last - 1].text[0] &&
	       !r->cells[last - 1].tail)
		last--;
	for (int x = 0; x < last; x++)
		if (r->cells[x].text[0])
			buf_adds(out, r->cells[x].text);
		else if (!r->cells[x].tail)
			buf_addc(out, ' ');
}

static bool row_is_blank(const struct plain *p, int y)
{
	struct buf text = {0};
	bool blank;

	add_row(p, y, &text);
	blank = strspn(text.len ? text.data : "", " ") == text.len;
	buf_finish(&text);
	return blank;
}

/* The line that row y is part of: from its first row to its last. */
static void tell_line(struct plain *p, int y)
{
	int first = y, last = y;
	struct buf text = {0};

	while (first > 0 && p->row[first - 1]->wraps)
		first--;
	while (last < p->rows - 1 && p->row[last]->wraps)
		last++;
	if (first == 0) {
		buf_add(&text, p->carry.data, p->carry.len);
		buf_clear(&p->carry);
	}
	for (int i = first; i <= last; i++) {
		add_row(p, i, &text);
		p->row[i]->told = true;
	}
	tell(p, text.data, text.len);
	buf_finish(&text);
}

/* Row 0 leaves the screen for good. */
static void leaves(struct plain *p)
{
	struct plain_row *r = p->row[0];

	if (r->told)
		return;
	if (r->wraps && p->carry.len < CARRY_MAX)
		add_row(p, 0, &p->carry);
	else
		tell_line(p, 0);
}

void plain_scroll(struct plain *p, int top, int bottom, int n)
{
	int size = bottom - top + 1;

	for (n = clamp(n, -size, size); n > 0; n--) {
		struct plain_row *r = p->row[top];

		if (top == 0)
			leaves(p);
		memmove(&p->row[top], &p->row[top + 1],
			(size_t)(size - 1) * sizeof(struct plain_row *));
		p->row[bottom] = r;
		row_clear(r, p->cols);
	}
	for (; n < 0; n++) {
		struct plain_row *r = p->row[bottom];

		memmove(&p->row[top + 1], &p->row[top],
			(size_t)(size - 1) * sizeof(struct plain_row *));
		p->row[top] = r;
		row_clear(r, p->cols);
	}
}

/* Row y is about to be another one. */
static struct plain_row *touch(struct plain *p, int y)
{
	struct plain_row *r = p->row[y];

	r->told = false;
	r->at = p->now;
	return r;
}

void plain_erase(struct plain *p, int y, int from, int to)
{
	struct plain_row *r = touch(p, y);

	from = clamp(from, 0, p->cols);
	to = clamp(to, from, p->cols);
	memset(r->cells + from, 0, (size_t)(to - from) * sizeof *r->cells);
	if (to == p->cols)
		r->wraps = false;
}

void plain_shift(struct plain *p, int n)
{
	struct plain_row *r = touch(p, p->y);
	struct plain_cell *at = r->cells + p->x;
	int room = p->cols - p->x, keep;

	n = clamp(n, -room, room);
	keep = room - (n < 0 ? -n : n);
	if (n > 0) {
		memmove(at + n, at, (size_t)keep * sizeof *at);
		memset(at, 0, (size_t)n * sizeof *at);
	} else {
		memmove(at, at - n, (size_t)keep * sizeof *at);
		memset(at + keep, 0, (size_t)-n * sizeof *at);
	}
}

void plain_linefeed(struct plain *p, bool wrap)
{
	struct plain_row *r = p->row[p->y];

	r->wraps = wrap;
	if (!wrap && r->told && row_is_blank(p, p->y))
		r->told = false; /* an empty line that somebody asked for */
	if (!wrap && !p->screen && !r->told)
		tell_line(p, p->y);
	if (p->y == p->bottom)
		plain_scroll(p, p->top, p->bottom, 1);
	else if (p->y < p->rows - 1)
		p->y++;
}

void plain_put(struct plain *p, uint32_t cp)
{
	struct plain_row *r;
	char text[5];
	int width = utf8_cp_width(cp);
	size_t n;

	if (utf8_cp_unsafe(cp)) {
		cp = '?';
		width = 1;
	}
	n = utf8_encode(cp, text);
	if (width == 0) {
		struct plain_cell *c;

		if (p->x == 0)
			return;
		c = &p->row[p->y]->cells[p->x - 1];
		if (c->text[0] && strlen(c->text) + n < sizeof c->text)
			strncat(c->text, text, n);
		return;
	}
	if (p->x + width > p->cols) {
		plain_linefeed(p, true);
		p->x = 0;
	}
	r = touch(p, p->y);
	if (p->x + width > p->cols)
		return; /* wider than the terminal */
	memset(&r->cells[p->x], 0, sizeof r->cells[0]);
	memcpy(r->cells[p->x].text, text, n);
	if (width == 2)
		r->cells[p->x + 1] = (struct plain_cell){.tail = true};
	p->x += width;
}

/* All that was not told yet, and nothing blank at the end. */
static void tell_all(struct plain *p)
{
	int last = p->rows - 1;

	while (last >= 0 && row_is_blank(p, last))
		last--;
	for (int y = 0; y <= last; y++)
		if (!p->row[y]->told)
			tell_line(p, y);
	if (p->carry.len) {
		tell(p, p->carry.data, p->carry.len);
		buf_clear(&p->carry);
	}
}

void plain_clear_all(struct plain *p)
{
	tell_all(p);
	for (int y = 0; y < p->rows; y++)
		row_clear(p->row[y], p->cols);
	p->x = p->y = p->top = 0;
	p->bottom = p->rows - 1;
}

void plain_resize(struct plain *p, int cols, int rows)
{
	cols = clamp(cols, 1, MAX_COLS);
	rows = clamp(rows, 1, MAX_ROWS);
	if (cols == p->cols && rows == p->rows)
		return;
	/* What is kept is what stands above the cursor's new row. */
	while (p->y >= rows) {
		plain_scroll(p, 0, p->rows - 1, 1);
		p->y--;
	}
	for (int y = rows; y < p->rows; y++)
		row_destroy(p->row[y]);
	p->row = mem_realloc(p->row, (size_t)rows * sizeof *p->row);
	for (int y = 0; y < rows; y++) {
		if (y >= p->rows) {
			p->row[y] = row_create(cols);
			continue;
		}
		p->row[y]->cells = mem_realloc(
		    p->row[y]->cells, (size_t)cols * sizeof(struct plain_cell));
		if (cols > p->cols)
			memset(p->row[y]->cells + p->cols, 0,
			       (size_t)(cols - p->cols) *
				   sizeof(struct plain_cell));
	}
	p->cols = cols;
	p->rows = rows;
	p->x = clamp(p->x, 0, cols);
	p->top = 0;
	p->bottom = rows - 1;
}

/* What has stood long enough; how long until the next has (-1: none). */
static int64_t tell_stable(struct plain *p)
{
	int64_t next = -1;

	for (int y = 0; y < p->rows; y++) {
		struct plain_row *r = p->row[y];
		int64_t left = r->at + PLAIN_STABLE_MS - p->now;

		if (r->told || row_is_blank(p, y))
			continue;
		if (left <= 0)
			tell_line(p, y);
		else if (next < 0 || left < next)
			next = left;
	}
	return next;
}

int64_t plain_tick(struct plain *p, int64_t t_ms)
{
	if (t_ms > p->now)
		p->now = t_ms;
	return tell_stable(p);
}

void plain_feed(struct plain *p, int64_t t_ms, const char *data, size_t len)
{
	if (t_ms > p->now)
		p->now = t_ms;
	if (p->screen)
		tell_stable(p);
	for (size_t i = 0; i < len;) {
		uint32_t cp;
		size_t n = utf8_decode(data + i, len - i, &cp);

		plain_parse(p, n ? cp : 0xfffd);
		i += n ? n : 1;
	}
}

void plain_finish(struct plain *p, int64_t t_ms)
{
	if (t_ms > p->now)
		p->now = t_ms;
	tell_all(p);
}
