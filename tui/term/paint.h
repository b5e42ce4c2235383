/*
 * paint.h - text on the screen, at a place, cut to a width.
 *
 * All text may be untrusted: only what utf8_safe() lets through is shown.
 * Colours fall to what the terminal has. Nothing is seen before paint_show().
 */
#ifndef AFW_TUI_TERM_PAINT_H
#define AFW_TUI_TERM_PAINT_H

#include "screen/screen.h"
#include "tui/term/look.h"

/* A look on this terminal. */
struct style paint_style(enum look look);

struct rect {
	int row, col, rows, cols;
};

/* Columns that a text takes; NULL takes none. */
int paint_width(const char *text);

/* All take at most cols columns and return those used. Text that is longer
 * is cut with an ellipsis. */
int paint_text(int row, int col, int cols, const char *text,
	       struct style style);
int paint_look(int row, int col, int cols, const char *text, enum look look);

/* At most r->rows rows, broken at blanks; returns the rows used. */
int paint_wrapped(const struct rect *r, const char *text, enum look look);
int paint_wrapped_rows(const char *text, int cols, int max);

/* Cut without an ellipsis. */
int paint_plain(int row, int col, int cols, const char *text, struct style st);

/* A cell of another screen, where nothing has been painted yet. */
void paint_cell(int row, int col, const struct screen_cell *from, bool dim);

void paint_fill(int row, int col, int cols, struct style style);
void paint_line(int row, int col, int cols);   /* a horizontal rule */
/* "-- fix-login ----", in r's first row; a format. */
void paint_heading(const struct rect *r, enum look look, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void paint_column(int row, int col, int rows); /* a vertical one */

/* Turns the cells at a place to reverse: a cursor in a preview. */
void paint_mark(int row, int col);

/* The whole window. */
struct rect paint_window(void);

/* Empties the picture; brings it to the terminal, the cursor at (row, col),
 * or hidden with -1. */
void paint_begin(void);
void paint_show(int row, int col);

#endif
