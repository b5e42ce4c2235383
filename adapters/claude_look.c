/*
 * claude_look.c - Claude Code's screen.
 *
 * Its composer is a prompt (❯) between two full-width rules, with a status
 * line or two below. A dialog takes the composer's place: so a choice (❯ in
 * front of an option) without a composer is a question, and a choice in the
 * transcript, above a composer, is not. What can cost something if it is
 * missed is written here; what only informs stands in claude.ini.
 */
#include "adapters/claude.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/echo.h"
#include "adapters/menu.h"
#include "adapters/rules.h"
#include "base/buf.h"
#include "base/utf8.h"

#define RULE_GLYPH   "─"
#define PROMPT	     "❯"
#define COLLAPSED    "[Pastedtext#" /* without blanks */
#define BOX_ROWS_MAX 60		    /* between the rules */
#define STATUS_ROWS  12 /* below the box: status, menus of / and @ */
#define SPINNER_ROWS 20 /* above the box: spinner, to-do list, queue */
#define DIALOG_ROWS  60

struct box {
	int top, bottom; /* the rows of the two rules */
};

static bool starts(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

/* A full-width rule, perhaps with a label in it. */
static bool is_rule(const char *row, int cols)
{
	size_t g = strlen(RULE_GLYPH), n = 0;

	if (!starts(row, RULE_GLYPH))
		return false;
	for (const char *s = row; (s = strstr(s, RULE_GLYPH)); s += g)
		n++;
	return n >= 8 && (int)n * 2 >= cols;
}

static int last_row(const struct view *v)
{
	int last = (int)v->nrows;

	while (last > 0 && v->rows[last - 1][0] == '\0')
		last--;
	return last;
}

/* ! is the prompt of its shell mode. */
static bool is_prompt(const char *row)
{
	return starts(row, PROMPT) || row[0] == '!';
}

static bool find_box(const struct view *v, struct box *box)
{
	int last = last_row(v), row = last - 1;

	while (row >= 0 && row >= last - STATUS_ROWS &&
	       !is_rule(v->rows[row], v->cols))
		row--;
	if (row < 0 || row < last - STATUS_ROWS)
		return false;
	box->bottom = row;
	for (row--; row >= 0 && box->bottom - row <= BOX_ROWS_MAX; row--)
		if (is_rule(v->rows[row], v->cols))
			break;
	if (row < 0 || box->bottom - row > BOX_ROWS_MAX ||
	    box->bottom - row < 2 || !is_prompt(v->rows[row + 1]))
		return false;
	box->top = row;
	return true;
}

/* The composer's text, squeezed, from rows (all or solid). */
static void box_text(const char *const *rows, const struct box *box,
		     struct buf *out)
{
	for (int row = box->top + 1; row < box->bottom; row++) {
		const char *s = rows[row];

		if (row == box->top + 1 && starts(s, PROMPT))
			s += strlen(PROMPT);
		echo_squeeze(s, strlen(s), out);
	}
}

/*
 * Claude draws its cursor as a reversed cell, so of a placeholder (dim) the
 * first character stays: one solid character, at the cursor, with more text
 * that is dim.
 */
static bool only_cursor_cell(const struct view *v, const struct box *box,
			     const struct buf *solid)
{
	struct buf all = {0};
	uint32_t cp = 0;
	size_t n = utf8_decode(solid->data, solid->len, &cp);
	bool more;

	if (n != solid->len || v->cursor_row != box->top + 1 ||
	    v->cursor_col != 2)
		return false;
	box_text(v->rows, box, &all);
	more = all.len > solid->len;
	buf_finish(&all);
	return more;
}

/* "[Pasted text #1 +12 lines]", and nothing beside it. */
static bool is_collapsed(const struct buf *shown)
{
	const char *end = memchr(shown->data, ']', shown->len);

	return starts(shown->data, COLLAPSED) &&
	       end == shown->data + shown->len - 1;
}

/* FNV-1a, and a collapsed paste's number, as struct look has it. */
static uint64_t digest(const struct buf *text)
{
	uint64_t d = 0xcbf29ce484222325, number = 0;
	const char *s = text->data, *end = s + text->len;
	char *rest;

	if (text->len > 0 && is_collapsed(text)) {
		number = strtoul(s + strlen(COLLAPSED), &rest, 10);
		s = rest;
	}
	for (; s < end; s++)
		d = (d ^ (unsigned char)*s) * 0x100000001b3;
	return d + number;
}

/* draft: as in struct look. */
static enum composer box_state(const struct view *v, const struct box *box,
			       uint64_t *draft)
{
	struct buf solid = {0};
	enum composer state = COMPOSER_DRAFT;

	*draft = 0;
	box_text(v->solid, box, &solid);
	if (v->rows[box->top + 1][0] != '!' &&
	    (solid.len == 0 || only_cursor_cell(v, box, &solid)))
		state = COMPOSER_EMPTY;
	else
		*draft = digest(&solid);
	buf_finish(&solid);
	return state;
}

/* "  ❯ 1. Yes", or an unnumbered one: never at the left edge, where past
 * prompts of the user stand. */
static bool is_choice(const char *row)
{
	size_t indent = strspn(row, " ");

	if (starts(row + indent, "│"))
		indent += strlen("│") + strspn(row + indent + strlen("│"), " ");
	if (!starts(row + indent, PROMPT))
		return false;
	row += indent;
	if (indent > 0)
		return true;
	row += strlen(PROMPT);
	row += strspn(row, " ");
	return *row >= '1' && *row <= '9' && row[1] == '.';
}

static bool is_footer(const char *row)
{
	return strstr(row, "Esc to cancel") ||
	       strstr(row, "Enter to confirm") ||
	       strstr(row, "Enter to select") ||
	       strstr(row, "Press Enter to continue");
}

static void copy_row(const char *row, char *out, size_t size)
{
	size_t len;

	row += strspn(row, " ");
	len = strlen(row);
	utf8_printable(out, size, row, len);
}

/* The dialog's first row: what follows the lowest rule above row. */
static int dialog_top(const struct view *v, int row)
{
	int top = row;

	while (top > 0 && row - top < DIALOG_ROWS &&
	       !is_rule(v->rows[top - 1], v->cols) &&
	       !starts(v->rows[top - 1], "▔▔▔▔"))
		top--;
	return top;
}

/* Behind the gutter that a command of several lines has. */
static void copy_command(const char *row, char *out, size_t size)
{
	row += strspn(row, " ");
	copy_row(starts(row, "│") ? row + strlen("│") : row, out, size);
}

static bool has_dashes(const struct view *v, int from, int to)
{
	while (from < to && !starts(v->rows[from], "╌╌╌╌"))
		from++;
	return from < to;
}

/*
 * "Bash command: echo hi" between the dashed rules below the title; where the
 * dialog is scrolled and the upper one not to be seen, what is there of it.
 */
static bool describe_command(const struct view *v, int top, int choice,
			     char *out, size_t size)
{
	char title[64], text[READING_TEXT];
	char both[sizeof title + sizeof text + 8];
	bool titled = top > 0 && v->rows[top - 1][0] != ' ';

	for (int row = top; row < choice - 1; row++) {
		if (!starts(v->rows[row], "╌╌╌╌"))
			continue;
		copy_row(v->rows[top], title, sizeof title);
		if (titled || has_dashes(v, row + 1, choice))
			copy_command(v->rows[row + 1], text, sizeof text);
		else
			copy_command(v->rows[top], text, sizeof text);
		if (titled)
			snprintf(both, sizeof both, "%s: %s", title, text);
		else
			snprintf(both, sizeof both, "%s …", text);
		utf8_printable(out, size, both, strlen(both));
		return true;
	}
	return false;
}

/* The lowest of rows[top..end) that reads like a question, or -1. */
static int question_row(const struct view *v, int top, int end)
{
	for (int row = end - 1; row >= top; row--) {
		size_t len = strlen(v->rows[row]);

		if (len > 0 && v->rows[row][len - 1] == '?')
			return row;
	}
	return -1;
}

/* What the dialog whose rows end before end asks, on one line. */
static void describe_dialog(const struct rules *r, const struct view *v,
			    int end, struct reading *out)
{
	int top = dialog_top(v, end), row;

	for (row = top; row < (int)v->nrows; row++)
		if (strstr(v->rows[row], "I trust this folder")) {
			copy_row("asks whether it may trust this directory",
				 out->detail, sizeof out->detail);
			return;
		}
	if (rules_find(r, "question", v->rows, top, end, out->detail,
		       sizeof out->detail) >= 0)
		return;
	row = question_row(v, top, end);
	if ((row < 0 || strstr(v->rows[row], "want to proceed")) &&
	    describe_command(v, top, end, out->detail, sizeof out->detail))
		return;
	/* Below a rule of its own stand the options that are always there. */
	if (row < 0 && top > 1 && is_rule(v->rows[top - 1], v->cols))
		row = question_row(v, dialog_top(v, top - 1), top - 1);
	for (; row < 0 && top < end; top++)
		if (v->rows[top][0] != '\0')
			row = top;
	if (row >= 0)
		copy_row(v->rows[row], out->detail, sizeof out->detail);
}

/*
 * A dialog that is taller than the terminal shows neither its choices nor
 * its last row: a rule, and text below it down to the screen's end. A pager
 * has one row there.
 */
static bool is_clipped_dialog(const struct view *v, int last)
{
	int top = dialog_top(v, last);

	return top > 0 && last == (int)v->nrows && last - top >= 4 &&
	       v->rows[top][0] == ' ';
}

static bool look_dialog(const struct rules *r, const struct view *v,
			struct reading *out)
{
	int last = last_row(v), row, end = -1;

	for (row = last - 1; row >= 0 && row >= last - DIALOG_ROWS; row--) {
		if (is_rule(v->rows[row], v->cols))
			break;
		if (is_footer(v->rows[row]))
			end = row;
		if (is_choice(v->rows[row])) {
			end = row;
			break;
		}
	}
	if (end < 0)
		end = rules_find(r, "waiting", v->rows, 0, last, NULL, 0);
	if (end < 0 && is_clipped_dialog(v, last))
		end = last;
	if (end < 0)
		return false;
	out->activity = ACTIVITY_WAITING_FOR_INPUT;
	out->question = true;
	describe_dialog(r, v, end, out);
	return true;
}

/*
 * Only its approvals have their question right above the options and below
 * them this footer or, to fetch a page, none: of a question with options that
 * the model wrote, a blank row is between, and more below.
 */
static void find_menu(const struct view *v, struct dialog *out)
{
	static const struct menu_shape shape = {
	    .marker = PROMPT, .end = "Esc to cancel", .endless = true};

	out->known = true;
	if (!menu_find(v, &shape, out))
		return;
	out->top = out->menu;
	while (out->top > 0 && v->rows[out->top - 1][0] == ' ')
		out->top--;
}

/* Below a prompt at the edge: what a model prints begins with a bullet. */
static bool has_queue(const struct rules *r, const struct view *v,
		      const struct box *box)
{
	int row = rules_find(r, "queued", v->rows, 0, box->top, NULL, 0);

	while (row >= 0 && (v->rows[row][0] == ' ' || v->rows[row][0] == '\0'))
		row--;
	return row >= 0 && starts(v->rows[row], PROMPT);
}

static void look_busy(const struct rules *r, const struct view *v,
		      const struct box *box, struct reading *out)
{
	int from = box->top - SPINNER_ROWS, last = last_row(v);

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

void claude_look(const struct rules *r, const struct view *v, struct look *out)
{
	struct box box;

	*out = (struct look){.reading = {.source = SOURCE_SCREEN},
			     .composer = COMPOSER_ABSENT};
	if (find_box(v, &box)) {
		out->composer = box_state(v, &box, &out->draft);
		out->queued = has_queue(r, v, &box);
		look_busy(r, v, &box, &out->reading);
	} else {
		find_menu(v, &out->dialog);
		look_dialog(r, v, &out->reading);
	}
}

/*
 * A squeezed text reduced to its ASCII: terminals disagree on how they
 * draw the rest, and Claude joins a letter and its combining mark into one
 * character, so a letter with a mark behind it goes too.
 */
static void keep_ascii(struct buf *b)
{
	size_t keep = 0, len;
	bool ascii = false; /* the last one kept is the last one read */
	uint32_t cp = 0;

	for (size_t i = 0; i < b->len; i += len ? len : 1) {
		len = utf8_decode(b->data + i, b->len - i, &cp);
		if (len == 1)
			b->data[keep++] = b->data[i];
		else if (len > 1 && ascii && utf8_cp_width(cp) == 0)
			keep--;
		ascii = len == 1;
	}
	b->len = keep;
}

/* Nothing but text, or its end where it is longer than the composer. */
static bool is_text(struct buf *shown, const char *text, size_t len)
{
	struct buf all = {0};
	size_t shown_chars, all_chars;
	bool is = echo_is_end(shown, text, len);

	echo_squeeze(text, len, &all);
	shown_chars = echo_characters(shown);
	all_chars = echo_characters(&all);
	keep_ascii(shown);
	keep_ascii(&all);
	is = is || (shown_chars <= all_chars && all.len >= shown->len &&
		    memcmp(all.data + all.len - shown->len, shown->data,
			   shown->len) == 0);
	buf_finish(&all);
	return is;
}

bool claude_echoed(const struct rules *r, const struct view *before,
		   const struct view *now, const char *text, size_t len)
{
	struct buf shown = {0};
	struct box box;
	uint64_t draft;
	bool seen = false;

	(void)r;
	(void)before;
	if (!find_box(now, &box))
		return false;
	if (box_state(now, &box, &draft) != COMPOSER_DRAFT)
		return false;
	box_text(now->solid, &box, &shown);
	if (shown.len > 0)
		seen = is_collapsed(&shown) || is_text(&shown, text, len);
	buf_finish(&shown);
	return seen;
}
