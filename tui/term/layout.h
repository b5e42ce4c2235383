/*
 * layout.h - where things stand, worked out from the window's size alone.
 * Pure.
 */
#ifndef AFW_TUI_TERM_LAYOUT_H
#define AFW_TUI_TERM_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/term/paint.h"

/* A preview without rows is not shown. */
struct frame {
	struct rect list, preview;
	bool beside; /* the preview is right of the list, not below it */
};

/* Divides body. preview false: the list has it all. sessions: how many are
 * listed. small: a window of few rows has a preview, too. wanted: the list's
 * rows, and its columns where the preview stands beside; 0: as it is best. */
void layout_frame(struct frame *f, const struct rect *body, bool preview,
		  size_t sessions, bool small, const int wanted[2]);

enum column {
#define COLUMN(id, ...) COLUMN_##id,
#include "config/columns.def"
#undef COLUMN
	COLUMN_COUNT,
};

/* Those that the user wants, in order. */
struct chosen {
	enum column v[COLUMN_COUNT];
	int n;
};

/* Widths and places; a column of width 0 is not shown. */
struct columns {
	int at[COLUMN_COUNT], width[COLUMN_COUNT];
};

/* False: its width does not depend on what it shows. */
bool layout_column_asks(enum column which);

/* wanted: what each that asks needs to show all. */
void layout_columns(struct columns *c, int cols, const struct chosen *chosen,
		    const int wanted[COLUMN_COUNT]);

/* The first row to show so that cursor is seen, near what top was. */
size_t layout_scroll(size_t top, size_t cursor, size_t n, size_t rows);

#endif
