/*
 * logs_lines.c - converts terminal output to lines of text.
 *
 * Each row of the screen stores the hash of the text that was printed for it;
 * an unchanged row is not printed again, even after it has moved.
 */
#include "commands/logs_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "screen/screen.h"

/* between two checks of a screen that a program paints */
#define PRINT_MS 50
/* number of lines that a painting program does not print twice */
#define TOLD	      512
#define LONGEST_BYTES ((size_t)64 * 1024)

struct row {
	uint32_t hash;
	bool told;
	bool whole; /* the cursor had left it when it was printed */
	int64_t at; /* since when the row has this hash */
};

struct lines {
	lines_fn fn;
	void *ctx;
	bool follow, paints;
	struct screen *screen;
	struct row *row; /* of the screen shown: main or alt */
	struct row main[SCREEN_MAX_ROWS], alt[SCREEN_MAX_ROWS];
	int64_t now, fed_at, printed_at;
	struct buf line; /* the part of a long line that has left the screen */
	struct buf text; /* temporary text */
	bool blank;	 /* the last line printed was empty */
	uint32_t told[TOLD];
	size_t told_at;
};

static uint32_t hash(const char *s, size_t len)
{
	return (uint32_t)hash_add(HASH_NONE, s, len);
}

/* If the program paints: returns whether the line was printed recently. */
static bool is_repeated(struct lines *l, const char *s, size_t len)
{
	uint32_t h = hash(s, len);

	for (size_t i = 0; l->paints && i < TOLD; i++)
		if (l->told[i] == h)
			return true;
	l->told[l->told_at] = h;
	l->told_at = (l->told_at + 1) % TOLD;
	return false;
}

static void emit_line(struct lines *l, struct buf *text)
{
	while (text->len && text->data[text->len - 1] == ' ')
		text->len--;
	if (text->len ? !is_repeated(l, text->data, text->len)
		      : !l->paints || !l->blank) {
		l->blank = text->len == 0;
		l->fn(l->ctx, text->len ? text->data : "", text->len);
	}
	buf_clear(text);
}

/* Appends a row and sets its hash. Returns whether its line continues in the
 * next row. */
static bool add_row(const struct lines *l, int y, struct buf *text, uint32_t *h)
{
	size_t from = text->len;
	bool wraps = screen_row_line(l->screen, y, text);

	*h = text->len > from ? hash(text->data + from, text->len - from) : 0;
	return wraps;
}

/* Handles row y leaving the main screen; the rows above have left already. */
static void on_leave(void *ctx, int y)
{
	struct lines *l = ctx;
	size_t before = l->line.len;
	size_t last = (size_t)screen_rows(l->screen) - 1;
	uint32_t h;
	bool wraps = add_row(l, y, &l->line, &h);
	bool told = l->main[0].told && l->main[0].hash == h;

	memmove(l->main, l->main + 1, last * sizeof l->main[0]);
	l->main[last] = (struct row){0};
	if (told)
		l->line.len = before;
	if (told && before == 0)
		return;
	if (!wraps || l->line.len > LONGEST_BYTES)
		emit_line(l, &l->line);
}

static bool is_blank(const struct buf *text)
{
	return text->len == 0 || strspn(text->data, " ") == text->len;
}

/*
 * Prints lines that were not printed yet: lines that end above row `whole` at
 * once, and if `settled` the other lines that have not changed for long
 * enough. Returns ms until the next one is due, -1: none.
 */
static int64_t emit_rows(struct lines *l, int whole, bool settled)
{
	int rows = screen_rows(l->screen);
	int64_t next = -1;

	l->printed_at = l->now;
	for (int y = 0, first = 0; y < rows; first = y) {
		int64_t since = 0, left;
		bool told = true, wraps = true, changed = false;

		buf_clear(&l->text);
		if (l->row == l->main && y == 0)
			buf_add(&l->text, l->line.data, l->line.len);
		for (; wraps && y < rows; y++) {
			struct row *r = &l->row[y];
			uint32_t h;

			wraps = add_row(l, y, &l->text, &h);
			if (h != r->hash) {
				changed |= r->whole;
				*r = (struct row){.hash = h, .at = l->fed_at};
			}
			told &= r->told;
			since = r->at > since ? r->at : since;
		}
		if (changed) {
			l->paints = true;
			whole = settled ? 0 : whole;
		}
		left = since + LINES_STAND_MS - l->now;
		if (told || (y > whole && (!settled || is_blank(&l->text))))
			continue;
		if (y > whole && left > 0) {
			next = next < 0 || left < next ? left : next;
			continue;
		}
		for (int i = first; i < y; i++) {
			l->row[i].told = true;
			l->row[i].whole = y <= whole;
		}
		if (l->row == l->main && first == 0)
			buf_clear(&l->line);
		emit_line(l, &l->text);
	}
	return next;
}

/* Returns the number of rows without the blank ones at the end. */
static int used_rows(struct lines *l)
{
	int end = screen_rows(l->screen);

	for (; end > 0; end--) {
		buf_clear(&l->text);
		screen_row_line(l->screen, end - 1, &l->text);
		if (!is_blank(&l->text))
			break;
	}
	return end;
}

/* Prints everything on the screen. */
static void emit_screen(struct lines *l)
{
	emit_rows(l, used_rows(l), false);
}

static void on_wipe(void *ctx)
{
	struct lines *l = ctx;

	emit_screen(l);
	memset(l->alt, 0, sizeof l->alt);
	l->paints = true;
}

struct lines *lines_create(bool follow, lines_fn fn, void *ctx)
{
	struct lines *l = mem_alloc(sizeof *l);
	struct screen_events events = {
	    .ctx = l, .leave = on_leave, .wipe = on_wipe};

	l->fn = fn;
	l->ctx = ctx;
	l->follow = follow;
	l->screen = screen_create(80, 24, 0, &events);
	l->row = l->main;
	return l;
}

void lines_destroy(struct lines *l)
{
	if (!l)
		return;
	screen_destroy(l->screen);
	buf_finish(&l->line);
	buf_finish(&l->text);
	free(l);
}

/* The row in which the cursor's line begins. */
static int cursor_line(struct lines *l, int *row)
{
	int col, first;

	screen_cursor(l->screen, &col, row);
	for (first = *row; first > 0; first--) {
		buf_clear(&l->text);
		if (!screen_row_line(l->screen, first - 1, &l->text))
			break;
	}
	return first;
}

/*
 * A resize wraps the lines elsewhere and may take rows away. So what is there
 * is printed before, but not the cursor's line if it may still grow: then
 * nothing is below it, and it fits into the new size.
 */
void lines_resize(struct lines *l, int cols, int rows)
{
	int row, first = cursor_line(l, &row), end = used_rows(l);
	bool all = end > row + 1 || (row - first + 1) * screen_cols(l->screen) >
					(long)cols * rows;

	if (l->row == l->alt || (cols == screen_cols(l->screen) &&
				 rows == screen_rows(l->screen))) {
		screen_resize(l->screen, cols, rows);
		return;
	}
	emit_rows(l, all ? end : first, false);
	all = all || l->row[row].told;
	screen_resize(l->screen, cols, rows);
	first = cursor_line(l, &row);
	for (int y = 0; y < screen_rows(l->screen); y++) {
		bool told = all || y < first;
		uint32_t h;

		buf_clear(&l->text);
		add_row(l, y, &l->text, &h);
		l->row[y] = (struct row){h, told, told, l->fed_at};
	}
}

void lines_feed(struct lines *l, int64_t t_ms, const char *data, size_t len)
{
	bool paints = l->row == l->alt || (l->follow && l->paints);

	l->now = t_ms;
	if (paints && t_ms - l->printed_at >= PRINT_MS)
		emit_rows(l, 0, true);
	screen_feed(l->screen, data, len);
	l->fed_at = t_ms;
	l->row = screen_modes(l->screen)->altscreen ? l->alt : l->main;
}

void lines_record(struct lines *l, int64_t t_ms, char kind, const char *data,
		  size_t len)
{
	int cols, rows;

	if (kind == 'o')
		lines_feed(l, t_ms, data, len);
	else if ((kind == 'r' || kind == 'h') &&
		 sscanf(data, "%5dx%5d", &cols, &rows) == 2)
		lines_resize(l, cols, rows);
}

int64_t lines_tick(struct lines *l, int64_t t_ms)
{
	int col, row = 0;

	l->now = t_ms;
	if (!l->paints)
		screen_cursor(l->screen, &col, &row);
	return emit_rows(l, row, true);
}

void lines_finish(struct lines *l)
{
	emit_screen(l);
	if (l->line.len)
		emit_line(l, &l->line);
}

/* -- the last lines -------------------------------------------------------- */

void last_lines_begin(struct last_lines *l)
{
	if (l->keep)
		l->ring = mem_alloc(l->keep * sizeof *l->ring);
}

void last_lines_add(struct last_lines *l, const char *text, size_t len)
{
	if (!l->ring) {
		fwrite(text, 1, len, stdout);
		putchar('\n');
		return;
	}
	free(l->ring[l->at]);
	l->ring[l->at] = mem_strndup(text, len);
	l->at = (l->at + 1) % l->keep;
	if (l->kept < l->keep)
		l->kept++;
}

void last_lines_print(struct last_lines *l)
{
	for (size_t i = 0; l->ring && i < l->kept; i++)
		puts(l->ring[(l->at + l->keep - l->kept + i) % l->keep]);
	for (size_t i = 0; l->ring && i < l->keep; i++)
		free(l->ring[i]);
	free(l->ring);
	l->ring = NULL;
}
