/*
 * scroll.h - a text to read: its visible lines, the keys that move in it, and
 * the search (search.h has its keys). The help, the views of a diff and the
 * tabs use it. It is not a view of its own.
 */
#ifndef AFW_TUI_WIDGETS_SCROLL_H
#define AFW_TUI_WIDGETS_SCROLL_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/term/paint.h"
#include "tui/term/term.h"

#define SCROLL_MAX_LINES 5000

enum scroll_kind {
	SCROLL_PLAIN,
	SCROLL_DIFF, /* + and - in their colours */
	SCROLL_HELP, /* headings; lines with a blank first: terms, explained */
};

/* Zeroed: empty. */
struct scroll {
	enum scroll_kind kind;
	/* the newest is at the end: starts there, and stays there with the next
	 * text */
	bool from_end;
	char *text;	 /* NULL: none yet */
	char **lines;	 /* into text */
	size_t n, top;	 /* top: the first visible line */
	int page, shift; /* rows as last drawn; columns */
	int row;	 /* the first one's, as last drawn */
	long wanted;	 /* lines to scroll once there is a text */
	char *find;	 /* the search; NULL: none */
	size_t found;	 /* line of the last match */
	/* One line is chosen: keys and the search move the choice. */
	bool chooses;
	size_t chosen;
	bool marks;  /* the lines from mark to the chosen one are marked */
	size_t mark; /* until the text changes */
	size_t files_at, files; /* rows of a table of files; 0 files: none */
	char *titles; /* of the columns, in a row above the text; or NULL */
	int changes_col, changes_cols; /* each line has "+12 -3" there; or 0 */
};

void scroll_finish(struct scroll *s);

/*
 * Sets another text, copied; if it has more than SCROLL_MAX_LINES lines, the
 * first of them, or with from_end the last, and a line that says so. If there
 * was a text before, the visible part stays visible.
 */
void scroll_set(struct scroll *s, const char *text);

/* Returns whether the end is visible, or chosen; true if the text fits the page
 * and none is chosen. */
bool scroll_at_end(const struct scroll *s);

void scroll_draw(struct scroll *s, const struct rect *r);
/* Draws it below a heading, which also has scroll_where(). */
void scroll_draw_titled(struct scroll *s, const char *title,
			const struct rect *r);

/* Prints " 12-30 of 300 ", "" if all is visible. */
void scroll_where(const struct scroll *s, char *out, size_t size);

/* Handles a key that moves; returns false for other keys. */
bool scroll_key(struct scroll *s, struct key k);
void scroll_by(struct scroll *s, long lines);
/* Chooses a line; the last one if there are fewer. */
void scroll_choose(struct scroll *s, size_t line);
/* Returns the first of the marked lines, without marks the chosen one, and how
 * many they are. */
static inline size_t scroll_marked(const struct scroll *s, size_t *n)
{
	size_t from = s->marks ? s->mark : s->chosen;

	*n = (from > s->chosen ? from - s->chosen : s->chosen - from) + 1;
	return from < s->chosen ? from : s->chosen;
}

/* Makes an existing line the first visible one, if the rest fills the page, and
 * the chosen one. */
void scroll_go(struct scroll *s, size_t line);

/*
 * Searches for text, ignoring case, from the visible lines on: down, or with
 * from_end up, wrapping around. NULL or "" ends the search. Returns false if
 * there is no match.
 */
bool scroll_find(struct scroll *s, const char *text);

/* Finds the next match, or with forth false the previous one. */
bool scroll_find_next(struct scroll *s, bool forth);

#endif
