/* layout.h - the places of the parts of the window, computed from its size
 * alone. Pure. */
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

/* Divides body: the preview is below the list, which has the rows that it
 * needs; beside it in a wide window with too few rows for both. preview false:
 * the list has all of it. sessions: how many are listed. small: also a window
 * of few rows has a preview. wanted: the list's rows, and its columns if the
 * preview is beside it; 0: the best number. */
void layout_frame(struct frame *f, const struct rect *body, bool preview,
		  size_t sessions, bool small, const int wanted[2]);

enum column {
#define COLUMN(id, ...) COLUMN_##id,
#include "config/columns.def"
#undef COLUMN
	COLUMN_COUNT,
};

/* The columns that the user wants, in order. */
struct chosen {
	enum column v[COLUMN_COUNT];
	int n;
};

/* Widths and positions; a column of width 0 is not shown. */
struct columns {
	int at[COLUMN_COUNT], width[COLUMN_COUNT];
};

/* Returns whether its width depends on its text. */
bool layout_column_is_variable(enum column which);

/* wanted: the width that each column whose width depends on its text needs. */
void layout_columns(struct columns *c, int cols, const struct chosen *chosen,
		    const int wanted[COLUMN_COUNT]);

/* Returns the first row to show, so that cursor is visible and near the old
 * top. */
size_t layout_scroll(size_t top, size_t cursor, size_t n, size_t rows);

#endif
