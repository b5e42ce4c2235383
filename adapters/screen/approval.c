/*
 * approval.c - finds an approval by the patterns of its harness.
 *
 * The row that only an approval has is in the dialog, the options below it or
 * in it. Rows above may be anything, printed by a model that wants approval: so
 * the adapter finds the rows of the dialog and of its options, and only those
 * are read. With patterns alone, the lowest matching row is used, and only the
 * options below it.
 */
#include "adapters/screen/approval.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/screen/rules.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/utf8.h"
#include "base/words.h"

static const char *const markers[] = {"❯", "›", "●", "•", ">", NULL};

/* Stores the keys of setting, with {option} replaced by option; "" if that is
 * impossible. Only one character on the screen can be a key. */
static void fill_keys(const struct rules *r, const char *setting,
		      const char *option, char out[RULES_ANSWER_MAX])
{
	const char *keys = rules_get(r, setting);
	char *text;

	out[0] = '\0';
	if (keys == NULL || (strstr(keys, "{option}") && strlen(option) != 1))
		return;
	text = words_fill(keys, "{option}", option);
	if (strlen(text) < RULES_ANSWER_MAX)
		memcpy(out, text, strlen(text) + 1);
	free(text);
}

/* Stores the keys that move the marker to the option in row, and Enter. */
static void fill_moves(const struct dialog *d, int row,
		       char out[RULES_ANSWER_MAX])
{
	int away = row - d->options[d->marked], n = 0;

	for (int i = 0; i < abs(away); i++)
		n += snprintf(out + n, RULES_ANSWER_MAX - (size_t)n, "%s ",
			      away > 0 ? "Down" : "Up");
	snprintf(out + n, RULES_ANSWER_MAX - (size_t)n, "Enter");
}

/* True if row may be an option of the question in the row asks. */
static bool is_option(const struct dialog *d, int asks, int row)
{
	if (!d->known)
		return row >= asks;
	for (int i = 0; i < d->noptions; i++)
		if (d->options[i] == row)
			return true;
	return false;
}

/* Returns the lowest option above to that matches, or -1. */
static int find_option(const struct rules *r, const struct screen_view *v,
		       const struct dialog *d, int asks, int to,
		       const char *pattern, char option[READING_TEXT])
{
	while (--to >= 0)
		if (is_option(d, asks, to) && v->rows[to][0] != '\0' &&
		    rules_match(r, pattern, v->rows[to], option, READING_TEXT))
			break;
	return to;
}

/* True if no other row matches: options quote commands and paths, which the
 * agent has chosen. */
static bool is_only(const struct rules *r, const struct screen_view *v,
		    const struct dialog *d, int asks, int row,
		    const char *pattern, const char *option)
{
	char other[READING_TEXT];

	while ((row = find_option(r, v, d, asks, row, pattern, other)) >= 0)
		if (strcmp(other, option) != 0)
			return false;
	return true;
}

/*
 * Finds the keys of one answer, if its option is on the screen; returns the
 * option's row, else asks. Without a pattern the approval's own row must show
 * the keys ("[y/n]").
 */
static int find_keys(const struct rules *r, const struct screen_view *v,
		     const struct dialog *d, int asks, const char *pattern,
		     const char *setting, char out[RULES_ANSWER_MAX])
{
	char option[READING_TEXT] = "";
	int row = asks;

	out[0] = '\0';
	if (rules_has(r, pattern)) {
		row =
		    find_option(r, v, d, asks, (int)v->nrows, pattern, option);
		if (row < 0)
			return asks;
		if (!is_only(r, v, d, asks, row, pattern, option))
			return row;
	}
	if (d->moves)
		fill_moves(d, row, out);
	else
		fill_keys(r, setting, option, out);
	return row;
}

/* Appends row's text, without its frame and marker. */
static void add_row(struct buf *text, const char *row)
{
	_buf_ struct buf squeezed = {0};

	row_squeeze(row, strlen(row), &squeezed);
	for (size_t i = 0; i < squeezed.len;) {
		size_t n = 0;

		for (size_t m = 0; markers[m] && n == 0; m++)
			if (strncmp(squeezed.data + i, markers[m],
				    strlen(markers[m])) == 0)
				n = strlen(markers[m]);
		if (n == 0)
			buf_addc(text, squeezed.data[i]);
		i += n ? n : 1;
	}
}

/* True if the option's row is highlighted. Other highlighted rows may be part
 * of the question. */
static bool is_marked(const struct rules *r, const struct screen_view *v,
		      int row)
{
	int to = rules_has(r, "approve_option") ? row + 1 : (int)v->nrows;

	if (!rules_has(r, "approve_marked"))
		return true;
	return v->lit &&
	       rules_find(r, "approve_marked", v->lit, row, to, NULL, 0) >= 0;
}

/* Copies what it asks, from shown, unless that is only the waiting row. */
static void copy_question(const struct rules *r, const struct screen_view *v,
			  const struct screen_state *shown, const char *asked,
			  char out[READING_TEXT])
{
	const char *detail = shown->reading.detail;
	char waiting[READING_TEXT] = "";

	rules_find(r, "waiting", v->rows, 0, (int)v->nrows, waiting,
		   sizeof waiting);
	if (detail[0] == '\0' || strcmp(detail, waiting) == 0)
		detail = asked;
	snprintf(out, READING_TEXT, "%s", detail);
}

static bool is_blank(const char *row)
{
	_buf_ struct buf text = {0};

	row_squeeze(row, strlen(row), &text);
	return text.len == 0;
}

/* Returns the lowest of rows[from..to) that text ends with, or -1. */
static int row_of(const struct screen_view *v, int from, int to,
		  const char *text)
{
	_buf_ struct buf all = {0}, one = {0};
	int row = to;

	row_squeeze(text, strlen(text), &all);
	while (--row >= from) {
		buf_clear(&one);
		row_squeeze(v->rows[row], strlen(v->rows[row]), &one);
		if (one.len > 0 && one.len <= all.len &&
		    memcmp(all.data + all.len - one.len, one.data, one.len) ==
			0)
			break;
	}
	return row < from ? -1 : row;
}

static const char more[] = " …";

/* Marks a cut question by an ellipsis at its end. */
static void mark_cut(char question[READING_TEXT])
{
	memcpy(question + utf8_whole(question, READING_TEXT - sizeof more),
	       more, sizeof more);
}

/* Marks a question that may be longer: it is one row of the dialog, and more
 * rows may be directly above or below it, as of a command of many lines. */
static void mark_more(const struct screen_view *v, int asks, int from, int to,
		      char question[READING_TEXT])
{
	int row = row_of(v, from, to, question);

	/* As full as a cut at a character can leave it. */
	if (strlen(question) > READING_TEXT - sizeof "…") {
		mark_cut(question);
		return;
	}
	if (row < 0 || row == asks ||
	    ((row == from || is_blank(v->rows[row - 1])) &&
	     (row + 1 >= to || is_blank(v->rows[row + 1]))))
		return;
	if (strlen(question) + sizeof more <= READING_TEXT)
		memcpy(question + strlen(question), more, sizeof more);
}

/* Returns the approval's own row, or -1. A dialog begins with the harness's
 * text, so the highest match in it is not the model's. */
static int find_asks(const struct rules *r, const struct screen_view *v,
		     const struct dialog *d, char asked[READING_TEXT])
{
	const char *key = rules_has(r, "approval") ? "approval" : "waiting";

	if (!d->known)
		return rules_find(r, key, v->rows, 0, (int)v->nrows, asked,
				  READING_TEXT);
	if (d->noptions == 0)
		return -1;
	for (int row = d->top; row < d->menu; row++)
		if (rules_match(r, key, v->rows[row], asked, READING_TEXT))
			return row;
	return -1;
}

bool approval_find(const struct rules *r, const struct screen_view *v,
		   const struct screen_state *shown, struct approval *out)
{
	const struct dialog *d = &shown->dialog;
	_buf_ struct buf text = {0};
	char asked[READING_TEXT];
	int row, top, to, yes, no;

	if (!shown->reading.question ||
	    (!rules_get(r, "approve") && !rules_get(r, "deny")))
		return false;
	row = find_asks(r, v, d, asked);
	if (row < 0)
		return false;
	*out = (struct approval){.marked = false};
	yes =
	    find_keys(r, v, d, row, "approve_option", "approve", out->approve);
	out->marked = is_marked(r, v, yes);
	out->moves = d->moves;
	no = find_keys(r, v, d, row, "deny_option", "deny", out->deny);
	if (d->known && out->approve[0] == '\0' && out->deny[0] == '\0')
		return false;
	copy_question(r, v, shown, asked, out->question);

	top = rules_find(r, "approval_top", v->rows, 0, row, NULL, 0);
	top = top < 0 ? row : top;
	to = yes > row ? yes : no > row ? no : (int)v->nrows;
	mark_more(v, row, top, no > row && no < to ? no : to, out->question);
	out->whole = d->known && d->whole &&
		     strcmp(out->question, shown->reading.detail) == 0;
	for (; top <= yes || top <= no; top++)
		add_row(&text, v->rows[top]);
	sha256(text.data ? text.data : "", text.len, out->digest);
	return true;
}
