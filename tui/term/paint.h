/*
 * paint.h - draws text on the screen at a place, cut to a width.
 *
 * All text may be untrusted: only what utf8_safe() allows is shown. Colours are
 * reduced to those of the terminal. Nothing is visible before paint_show().
 */
#ifndef AFW_TUI_TERM_PAINT_H
#define AFW_TUI_TERM_PAINT_H

#include "screen/screen.h"
#include "tui/term/look.h"

/* Returns the style of a look on this terminal. */
struct style paint_style(enum look look);

struct rect {
	int row, col, rows, cols;
};

/* Returns the columns that a text needs; NULL needs none. */
int paint_width(const char *text);

/* Each function draws at most cols columns and returns those used. Longer text
 * is cut, with an ellipsis. */
int paint_text(int row, int col, int cols, const char *text,
	       struct style style);
int paint_look(int row, int col, int cols, const char *text, enum look look);

/* Draws at most r->rows rows, broken at blanks; returns the rows used. */
int paint_wrapped(const struct rect *r, const char *text, enum look look);
int paint_wrapped_rows(const char *text, int cols, int max);

/* Draws "+12 -3", each part in its colour, or all of it as st, unless that is
 * NULL. Returns the columns used. */
int paint_changes(int row, int col, int cols, const char *text,
		  const struct style *st);

/* Cuts without an ellipsis. */
int paint_plain(int row, int col, int cols, const char *text, struct style st);

/* Draws a cell of another screen; nothing may have been painted there yet. */
void paint_cell(int row, int col, const struct screen_cell *from, bool dim);

void paint_fill(int row, int col, int cols, struct style style);
void paint_line(int row, int col, int cols); /* a horizontal line */
/* Draws "-- fix-login ----" in r's first row; fmt is a format. */
void paint_heading(const struct rect *r, enum look look, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void paint_column(int row, int col, int rows); /* a vertical line */

/* Reverses the cells at a place: a cursor in a preview. */
void paint_mark(int row, int col);

/* Returns the whole window. */
struct rect paint_window(void);

/* The first clears the picture; paint_show() writes it to the terminal, with
 * the cursor at (row, col), or hidden with -1. */
void paint_begin(void);
void paint_show(int row, int col);

#endif
