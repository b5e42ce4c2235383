/*
 * scroll.h - a text to read: which of its lines are shown, the keys that move
 * in it, and the search in it. The help, both views of a diff (pager.c,
 * preview/reader.c) and the tabs use it. It is not a view of its own.
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
	SCROLL_HELP, /* headings, and what stands in front is explained */
};

/* A zeroed one is empty. */
struct scroll {
	enum scroll_kind kind;
	bool from_end;	 /* the newest is at the end: begins there, and stays
			    there when it gets another text */
	char *text;	 /* NULL: there is none yet */
	char **lines;	 /* into text */
	size_t n, top;	 /* the first line that is seen */
	int page, shift; /* rows when last drawn; columns */
	long wanted;	 /* lines to scroll as soon as there is a text */
	char *find;	 /* NULL: nothing */
	size_t found;	 /* the line where it was found last */
};

void scroll_finish(struct scroll *s);

/*
 * Another text, copied; of more than SCROLL_MAX_LINES lines the first, or with
 * from_end the last, and a line that says so. Where one was there already, what
 * was seen stays in sight.
 */
void scroll_set(struct scroll *s, const char *text);

/* At its end; true of a text that fits the page. */
bool scroll_at_end(const struct scroll *s);

void scroll_draw(struct scroll *s, const struct rect *r);

/* " 12-30 of 300 ", "" where all is seen. */
void scroll_where(const struct scroll *s, char *out, size_t size);

/* True where it was a key for moving. */
bool scroll_key(struct scroll *s, struct key k);
void scroll_by(struct scroll *s, long lines);

/*
 * Looks for text, whatever its case, from what is seen on: down, or with
 * from_end up; round the ends. NULL or "": for nothing any more. False where it
 * is not there.
 */
bool scroll_find(struct scroll *s, const char *text);

/* The next line that has it, or not forth: the one before. */
bool scroll_find_next(struct scroll *s, bool forth);

#endif
