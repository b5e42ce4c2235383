/*
 * lesson_approval.c - the dialog: its question, the options that allow once and
 * that deny, and the keys that choose them.
 */
#include "adapters/screen/lesson_internal.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/screen/pattern.h"
#include "base/cleanup.h"

#define OPTION "^([^[:alnum:]]*)([0-9])[.)] "
#define YES    "^(yes|allow|approve|accept|run|proceed|ok)([ ,.]|$)"
#define NO     "^(no|deny|reject|cancel|decline|don't)([ ,.]|$)"
/* Not only this once. */
#define EVER	    "always|again|session|all |auto|ever|future|remember|trust|similar"
#define YES_NO	    "\\(y/n\\)|\\[y/n\\]|\\(yes/no\\)|\\[y\\]|\\(y\\)"
#define CHOOSES	    "enter|esc|select|confirm"
#define DIALOG_ROWS 20

struct dialog_rows {
	const struct strv *rows;
	int question, yes, no, last; /* rows; -1: none */
	/* What is before the number of the selected option, and of another. */
	char *marked, *plain;
};

/* Returns whether a row is only in the dialog. */
static bool is_new(const struct lesson *l, const char *row)
{
	for (int k = 0; k < LESSON_STEPS; k++)
		if (k != LESSON_APPROVAL && strv_has(&l->last[k].rows, row))
			return false;
	return *row != '\0';
}

/* Finds the options that allow once and that deny: "1. Yes", or "(y/n)". */
static void find_options(const struct lesson *l, struct dialog_rows *d)
{
	regmatch_t m[4];
	size_t from, to;

	for (int i = 0; i < (int)d->rows->n; i++) {
		const char *row = d->rows->v[i];

		if (!is_new(l, row) || !pattern_matches(OPTION, row, m))
			continue;
		d->last = i;
		pattern_find_text(row, &from, &to);
		free(from < (size_t)m[1].rm_eo ? d->marked : d->plain);
		*(from < (size_t)m[1].rm_eo ? &d->marked : &d->plain) =
		    mem_strndup(row, (size_t)m[1].rm_eo);
		if (d->yes < 0 &&
		    pattern_matches(YES, row + m[0].rm_eo, NULL) &&
		    !pattern_matches(EVER, row + m[0].rm_eo, NULL))
			d->yes = i;
		else if (d->no < 0 &&
			 pattern_matches(NO, row + m[0].rm_eo, NULL))
			d->no = i;
	}
	for (int i = (int)d->rows->n - 1; i >= 0 && d->yes < 0; i--)
		if (is_new(l, d->rows->v[i]) &&
		    pattern_matches(YES_NO, d->rows->v[i], NULL)) {
			d->yes = d->last = i;
			free(d->marked);
			free(d->plain);
			d->marked = d->plain = NULL;
		}
}

/* The question is the nearest row above the options that ends in ?, else the
 * nearest with a text, else the options' own row. */
static void find_question(const struct lesson *l, struct dialog_rows *d)
{
	int nearest = d->yes;

	for (int i = d->yes; i >= 0 && i > d->yes - DIALOG_ROWS; i--) {
		const char *row = d->rows->v[i];
		size_t from, to;

		pattern_find_text(row, &from, &to);
		if (to == from || !is_new(l, row))
			continue;
		if (strchr(row, '?') > row + to - 2 ||
		    (i == d->yes && strchr(row, '?'))) {
			d->question = i;
			return;
		}
		if (nearest == d->yes)
			nearest = i;
	}
	d->question = nearest;
}

/* Adds the pattern of an option, selected and not. */
static void add_option(const struct lesson *l, cJSON *section, const char *key,
		       const struct dialog_rows *d, const char *row)
{
	const char *const leads[] = {d->plain, d->marked};
	size_t from, to;
	regmatch_t m[4];

	pattern_find_text(row, &from, &to);
	pattern_matches(OPTION, row, m);
	from = (size_t)m[2].rm_eo;
	for (int i = 0; i < 2; i++) {
		_buf_ struct buf p = {0};

		if (!leads[i])
			continue;
		buf_addc(&p, '^');
		pattern_add_frame(&p, leads[i], strlen(leads[i]));
		buf_adds(&p, "([0-9])");
		pattern_add_text(&p, row + from, to - from, l->varies);
		pattern_add_end(&p, row, to);
		lesson_add_pattern(section, key, &p);
		if (strcmp(key, "approve_option") == 0)
			lesson_add_pattern(section, "waiting", &p);
	}
}

/* Adds the rows below the options that say which keys choose. Returns whether
 * Escape denies. */
static bool add_hints(const struct lesson *l, cJSON *section,
		      const struct dialog_rows *d)
{
	bool escape =
	    d->no >= 0 && pattern_matches("esc", d->rows->v[d->no], NULL);

	for (int i = d->last + 1; i < (int)d->rows->n; i++) {
		const char *row = d->rows->v[i];
		_buf_ struct buf p = {0};

		if (!is_new(l, row) || !pattern_matches(CHOOSES, row, NULL))
			continue;
		escape |= pattern_matches("esc", row, NULL);
		pattern_add_row(&p, row, l->varies);
		lesson_add_pattern(section, "waiting", &p);
	}
	return escape;
}

void lesson_add_approval(const struct lesson *l, cJSON *section)
{
	struct dialog_rows d = {
	    .rows = &l->last[LESSON_APPROVAL].rows, .yes = -1, .no = -1};
	_buf_ struct buf question = {0}, keys = {0}, top = {0};
	bool numbered, escape;

	find_options(l, &d);
	if (d.yes < 0)
		return;
	numbered = d.marked || d.plain;
	find_question(l, &d);
	pattern_add_row(&question, d.rows->v[d.question], l->varies);
	pattern_add_row(&keys, d.rows->v[d.yes], l->varies);
	if (numbered) {
		add_option(l, section, "approve_option", &d, d.rows->v[d.yes]);
		if (d.no >= 0)
			add_option(l, section, "deny_option", &d,
				   d.rows->v[d.no]);
	} else {
		lesson_add_pattern(section, "waiting", &keys);
	}
	escape = add_hints(l, section, &d);
	lesson_add_value(section, "approve", numbered ? "{option}" : "y");
	if (!numbered || d.no >= 0)
		lesson_add_value(section, "deny",
				 !numbered ? "n"
				 : escape  ? "Escape"
					   : "{option}");
	lesson_add_pattern(section, "question", &question);
	lesson_add_pattern(section, "approval", numbered ? &question : &keys);
	for (int i = d.question; i >= 0 && !top.len; i--)
		if (i > d.question - DIALOG_ROWS &&
		    pattern_is_border(d.rows->v[i]))
			pattern_add_border(&top, d.rows->v[i]);
	if (top.len)
		lesson_add_pattern(section, "approval_top", &top);
	free(d.marked);
	free(d.plain);
}
