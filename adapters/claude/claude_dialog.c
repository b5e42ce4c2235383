/*
 * claude_dialog.c - finds Claude Code's dialogs. They replace the composer: so
 * a choice (❯ before an option) without a composer is a question, and a choice
 * in the transcript, above a composer, is not.
 */
#include "adapters/claude/claude.h"

#include <stdio.h>
#include <string.h>

#include "adapters/screen/menu.h"
#include "adapters/screen/rules.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/utf8.h"

#define DIALOG_ROWS 60
#define RULE_GLYPH  "─"

bool claude_is_rule(const char *row, int cols)
{
	size_t g = strlen(RULE_GLYPH), n = 0;

	if (!row_starts(row, RULE_GLYPH))
		return false;
	for (const char *s = row; (s = strstr(s, RULE_GLYPH)); s += g)
		n++;
	return n >= 8 && (int)n * 2 >= cols;
}

/* Returns what follows prefix and blanks, or row itself. */
static const char *skip(const char *row, const char *prefix)
{
	if (row_starts(row, prefix))
		row += strlen(prefix);
	return row + strspn(row, " ");
}

static bool is_numbered(const char *text)
{
	return *text >= '1' && *text <= '9' && text[1] == '.';
}

/* True for " ❯ 1. Yes", or an unnumbered one: never at the left edge, where
 * past prompts of the user are. */
static bool is_choice(const char *row)
{
	const char *text = skip(skip(row, ""), "│");

	return row_starts(text, CLAUDE_PROMPT) &&
	       (text > row || is_numbered(skip(text, CLAUDE_PROMPT)));
}

/* "    Continuing automatically at 4:29pm · Esc to cancel", below the composer
 * at a limit; its end alone while the row is drawn over, also by a rule. */
static bool is_limit_notice(const char *row)
{
	const char *m = strstr(row, "m · Esc to cancel");

	return row_starts(row, RULE_GLYPH) ||
	       (m && m - row >= 2 && strchr("ap", m[-1]) && m[-2] >= '0' &&
		m[-2] <= '9');
}

static bool is_footer(const char *row)
{
	return (strstr(row, "Esc to cancel") && !is_limit_notice(row)) ||
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

/* Returns the dialog's first row, which follows the lowest rule above row. */
static int dialog_top(const struct screen_view *v, int row)
{
	int top = row;

	while (top > 0 && row - top < DIALOG_ROWS &&
	       !claude_is_rule(v->rows[top - 1], v->cols) &&
	       !row_starts(v->rows[top - 1], "▔▔▔▔"))
		top--;
	return top;
}

/* Copies it without the gutter of a command of several lines. */
static void copy_command(const char *row, char *out, size_t size)
{
	row += strspn(row, " ");
	copy_row(row_starts(row, "│") ? row + strlen("│") : row, out, size);
}

static bool has_dashes(const struct screen_view *v, int from, int to)
{
	while (from < to && !row_starts(v->rows[from], "╌╌╌╌"))
		from++;
	return from < to;
}

/*
 * True if the dialog whose first row is top, and whose choices begin at choice,
 * has a command of one row, between its only two dashed rules. A command of
 * several lines has a gutter, or more rows; a wide one may be cut.
 */
static bool has_one_row(const struct screen_view *v, int top, int choice)
{
	int first = -1, last = -1, n = 0;
	const char *row;

	for (int i = top; i < choice; i++) {
		if (!row_starts(v->rows[i], "╌╌╌╌"))
			continue;
		first = n++ == 0 ? i : first;
		last = i;
	}
	if (n != 2 || last != first + 2 || top == 0 ||
	    v->rows[top - 1][0] == ' ')
		return false;
	row = v->rows[first + 1];
	return !row_starts(row + strspn(row, " "), "│") &&
	       utf8_width(row, strlen(row)) < v->cols - 2;
}

/*
 * Sets "Bash command: echo hi" from the rows between the dashed rules below the
 * title; if the dialog is scrolled, from the visible rows of it.
 */
static bool describe_command(const struct screen_view *v, int top, int choice,
			     char *out, size_t size)
{
	char title[64], text[READING_TEXT];
	char both[sizeof title + sizeof text + 8];
	bool titled = top > 0 && v->rows[top - 1][0] != ' ';

	for (int row = top; row < choice - 1; row++) {
		if (!row_starts(v->rows[row], "╌╌╌╌"))
			continue;
		copy_row(v->rows[top], title, sizeof title);
		if (titled || has_dashes(v, row + 1, choice))
			copy_command(v->rows[row + 1], text, sizeof text);
		else
			copy_command(v->rows[top], text, sizeof text);
		if (titled)
			snprintf(both, sizeof both, "%s: %s%s", title, text,
				 has_one_row(v, top, choice) ? "" : " …");
		else
			snprintf(both, sizeof both, "%s …", text);
		utf8_printable(out, size, both, strlen(both));
		return true;
	}
	return false;
}

/* Returns the lowest of rows[top..end) that looks like a question, or -1. */
static int question_row(const struct screen_view *v, int top, int end)
{
	for (int row = end - 1; row >= top; row--) {
		size_t len = strlen(v->rows[row]);

		if (len > 0 && v->rows[row][len - 1] == '?')
			return row;
	}
	return -1;
}

/* Sets what the dialog whose rows end before end asks, on one line. */
static void describe_dialog(const struct rules *r, const struct screen_view *v,
			    int end, struct reading *out)
{
	int top = dialog_top(v, end), row;

	if (rules_find(r, "trust", v->rows, top, (int)v->nrows, NULL, 0) >= 0) {
		memcpy(out->detail, READING_TRUST, sizeof READING_TRUST);
		return;
	}
	if (rules_find(r, "question", v->rows, top, end, out->detail,
		       sizeof out->detail) >= 0)
		return;
	row = question_row(v, top, end);
	if ((row < 0 || strstr(v->rows[row], "want to proceed")) &&
	    describe_command(v, top, end, out->detail, sizeof out->detail))
		return;
	/* The options that are always there are below a rule of their own. */
	if (row < 0 && top > 1 && claude_is_rule(v->rows[top - 1], v->cols))
		row = question_row(v, dialog_top(v, top - 1), top - 1);
	for (; row < 0 && top < end; top++)
		if (v->rows[top][0] != '\0')
			row = top;
	if (row >= 0)
		copy_row(v->rows[row], out->detail, sizeof out->detail);
}

/*
 * True for a dialog that is taller than the terminal: it shows neither its
 * choices nor its last row, but a rule, and text from there to the screen's
 * end. A pager has one row there.
 */
static bool is_clipped_dialog(const struct screen_view *v, int last)
{
	int top = dialog_top(v, last);

	return top > 0 && last == (int)v->nrows && last - top >= 4 &&
	       v->rows[top][0] == ' ';
}

/* Lists the numbered options around row: "1. Yes · 2. No". */
static void copy_options(const struct screen_view *v, int row,
			 char out[DIALOG_KEYS])
{
	_buf_ struct buf all = {0};

	while (row > 0 && v->rows[row - 1][0] != '\0')
		row--;
	for (; row < (int)v->nrows && v->rows[row][0] != '\0'; row++) {
		const char *text = skip(skip(v->rows[row], ""), CLAUDE_PROMPT);

		if (is_numbered(text))
			buf_addf(&all, "%s%s", all.len ? " · " : "", text);
	}
	if (all.len > 0)
		utf8_printable(out, DIALOG_KEYS, all.data, all.len);
}

static void look_dialog(const struct rules *r, const struct screen_view *v,
			struct dialog *d, struct reading *out)
{
	int last = screen_view_end(v), row, end = -1;

	for (row = last - 1; row >= 0 && row >= last - DIALOG_ROWS; row--) {
		if (claude_is_rule(v->rows[row], v->cols))
			break;
		if (is_footer(v->rows[row])) {
			copy_row(v->rows[row], d->keys, sizeof d->keys);
			end = row;
		}
		if (is_choice(v->rows[row])) {
			if (!strstr(d->keys, "Enter to"))
				copy_options(v, row, d->keys);
			end = row;
			break;
		}
	}
	if (end < 0)
		end = rules_find(r, "waiting", v->rows, 0, last, NULL, 0);
	if (end < 0 && is_clipped_dialog(v, last))
		end = last;
	if (end < 0)
		return;
	out->activity = ACTIVITY_WAITING_FOR_INPUT;
	out->question = true;
	describe_dialog(r, v, end, out);
}

/*
 * Only its approvals have their question directly above the options, and below
 * them this footer or, to fetch a page, none: a question with options that the
 * model wrote has a blank row between, and more below.
 */
static const struct menu_shape approvals = {.marker = CLAUDE_PROMPT,
					    .end = "Esc to cancel",
					    .endless = true,
					    .unnumbered = true,
					    .dialog = " "};

/* Returns the title's row of a dialog that asks by its title, or menu: then
 * nothing between them is the question. */
static int titled_top(const struct rules *r, const struct screen_view *v,
		      int menu)
{
	int top = dialog_top(v, menu);

	while (top < menu && (v->rows[top][0] == '\0' ||
			      row_starts(skip(v->rows[top], ""), RULE_GLYPH)))
		top++;
	return rules_match(r, "approval", v->rows[top], NULL, 0) ? top : menu;
}

void claude_dialog(const struct rules *r, const struct screen_view *v,
		   struct screen_state *out)
{
	struct dialog *d = &out->dialog;

	menu_find(v, &approvals, d);
	if (d->noptions > 0 && !d->moves && d->top == d->menu)
		d->top = titled_top(r, v, d->menu);
	look_dialog(r, v, d, &out->reading);
	d->whole = d->noptions > 0 &&
		   row_starts(out->reading.detail, "Bash command: ") &&
		   has_one_row(v, dialog_top(v, d->menu), d->menu);
}
