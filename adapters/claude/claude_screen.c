/*
 * claude_read_screen.c - reads Claude Code's screen and its composer: a prompt
 * (❯) between two full-width rules, with one or two status lines below. A
 * dialog replaces it (claude_dialog.c). Signs that must not be missed are in
 * this file; signs that only inform are in claude.ini.
 */
#include "adapters/claude/claude.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/screen/echo.h"
#include "adapters/screen/rules.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "base/utf8.h"

#define COLLAPSED    "[Pastedtext#" /* without blanks */
#define BOX_ROWS_MAX 60		    /* between the rules */
#define STATUS_ROWS  12 /* below the box: status, menus of / and @ */
#define SPINNER_ROWS 20 /* above the box: spinner, to-do list, queue */

struct box {
	int top, bottom; /* the rows of the two rules */
	bool scrolled; /* its first rows are hidden: "─── ↑ 7 more ────" */
};

/* ! is the prompt of its shell mode. */
static bool is_prompt(const char *row)
{
	return row_starts(row, CLAUDE_PROMPT) || row[0] == '!';
}

/* Sets scrolled. A scrolled box has the cursor in it, which a dialog below some
 * other row of that look does not. */
static bool is_box(const struct screen_view *v, struct box *box)
{
	box->scrolled = row_starts(v->rows[box->top], "─── ↑ ");
	return box->scrolled
		   ? v->cursor_row > box->top && v->cursor_row < box->bottom
		   : is_prompt(v->rows[box->top + 1]);
}

static bool find_box(const struct screen_view *v, struct box *box)
{
	int last = screen_view_end(v), row = last - 1;

	while (row >= 0 && row >= last - STATUS_ROWS &&
	       !claude_is_rule(v->rows[row], v->cols))
		row--;
	if (row < 0 || row < last - STATUS_ROWS)
		return false;
	box->bottom = row;
	for (row--; row >= 0 && box->bottom - row <= BOX_ROWS_MAX; row--)
		if (claude_is_rule(v->rows[row], v->cols))
			break;
	if (row < 0 || box->bottom - row > BOX_ROWS_MAX ||
	    box->bottom - row < 2)
		return false;
	box->top = row;
	return is_box(v, box);
}

/* Copies the composer's text, squeezed, from rows (all or solid). */
static void box_text(const char *const *rows, const struct box *box,
		     struct buf *out)
{
	for (int row = box->top + 1; row < box->bottom; row++) {
		const char *s = rows[row];

		if (row == box->top + 1 && row_starts(s, CLAUDE_PROMPT))
			s += strlen(CLAUDE_PROMPT);
		row_squeeze(s, strlen(s), out);
	}
}

/*
 * True for a placeholder: Claude draws its cursor as a reversed cell, so the
 * first character of a dim placeholder is solid, and the rest is dim.
 */
static bool is_placeholder(const struct screen_view *v, const struct box *box,
			   const struct buf *solid)
{
	_buf_ struct buf all = {0};
	uint32_t cp = 0;
	size_t n = utf8_decode(solid->data, solid->len, &cp);

	if (n != solid->len || v->cursor_row != box->top + 1 ||
	    v->cursor_col != 2)
		return false;
	box_text(v->rows, box, &all);
	return all.len > solid->len;
}

/* True for "[Pasted text #1 +12 lines]" and nothing else. */
static bool is_collapsed(const struct buf *shown)
{
	const char *end = memchr(shown->data, ']', shown->len);

	return row_starts(shown->data, COLLAPSED) &&
	       end == shown->data + shown->len - 1;
}

/* Returns the digest of struct screen_state: of the text, and a collapsed
 * paste's number. */
static uint64_t digest(const struct buf *text)
{
	uint64_t number = 0;
	const char *s = text->data, *end = s + text->len;
	char *rest;

	if (text->len > 0 && is_collapsed(text)) {
		number = strtoul(s + strlen(COLLAPSED), &rest, 10);
		s = rest;
	}
	return hash_add(HASH_NONE, s, (size_t)(end - s)) + number;
}

/* draft: as in struct screen_state; what is hidden may be anything. */
static enum composer box_state(const struct screen_view *v,
			       const struct box *box, uint64_t *draft)
{
	_buf_ struct buf solid = {0};
	enum composer state = COMPOSER_DRAFT;

	*draft = 0;
	if (box->scrolled)
		return COMPOSER_DRAFT;
	box_text(v->solid, box, &solid);
	if (v->rows[box->top + 1][0] != '!' &&
	    (solid.len == 0 || is_placeholder(v, box, &solid)))
		state = COMPOSER_EMPTY;
	else
		*draft = digest(&solid);
	return state;
}

/* True if messages are queued, shown below a prompt at the edge: text of the
 * model begins with a bullet. */
static bool has_queue(const struct rules *r, const struct screen_view *v,
		      const struct box *box)
{
	int row = rules_find(r, "queued", v->rows, 0, box->top, NULL, 0);

	while (row >= 0 && (v->rows[row][0] == ' ' || v->rows[row][0] == '\0'))
		row--;
	return row >= 0 && row_starts(v->rows[row], CLAUDE_PROMPT);
}

/* True if it has vim's keys, of which Escape leaves INSERT first. */
static bool inserts(const struct screen_view *v, const struct box *box)
{
	int last = screen_view_end(v), row = box->bottom + 1;

	while (row < last && !row_starts(v->rows[row], "  -- INSERT --"))
		row++;
	return row < last;
}

static void look_busy(const struct rules *r, const struct screen_view *v,
		      const struct box *box, struct reading *out)
{
	int from = box->top - SPINNER_ROWS, last = screen_view_end(v);

	if (from < 0)
		from = 0;
	out->activity = ACTIVITY_IDLE;
	for (int row = box->bottom; row < last; row++)
		if (strstr(v->rows[row], "esc to interrupt"))
			out->activity = ACTIVITY_WORKING;
	if (rules_find(r, "thinking", v->rows, from, box->top, out->detail,
		       sizeof out->detail) >= 0)
		out->activity = ACTIVITY_THINKING;
	else if (rules_find(r, "busy", v->rows, from, box->top, out->detail,
			    sizeof out->detail) >= 0)
		out->activity = ACTIVITY_WORKING;
}

void claude_read_screen(const struct rules *r, const struct screen_view *v,
			struct screen_state *out)
{
	struct box box;

	*out = (struct screen_state){.reading = {.source = SOURCE_SCREEN},
				     .composer = COMPOSER_ABSENT};
	if (find_box(v, &box)) {
		out->composer = box_state(v, &box, &out->draft);
		out->queued = has_queue(r, v, &box);
		out->inserts = inserts(v, &box);
		look_busy(r, v, &box, &out->reading);
		out->continues = rules_find(r, "continues", v->rows, box.bottom,
					    screen_view_end(v), NULL, 0) >= 0;
	} else {
		claude_dialog(r, v, out);
	}
}

bool claude_echoed(const struct rules *r, const struct screen_view *before,
		   const struct screen_view *now, const char *text, size_t len)
{
	_buf_ struct buf shown = {0};
	struct box box;
	uint64_t draft;
	bool seen = false;

	if (!find_box(now, &box))
		return false;
	if (box_state(now, &box, &draft) != COMPOSER_DRAFT)
		return false;
	box_text(now->solid, &box, &shown);
	if (shown.len > 0)
		seen = (is_collapsed(&shown) && !box.scrolled) ||
		       echo_is_end(&shown, text, len);
	return seen;
}
