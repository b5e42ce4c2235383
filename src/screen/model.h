/*
 * model.h - the emulator's inside, for model.c, grid.c and control_function.c.
 *
 * A screen is rows of 16-byte cells. Scrolling turns pointers round; the
 * alternate screen exists only while it is shown.
 */
#ifndef AFW_SCREEN_MODEL_H
#define AFW_SCREEN_MODEL_H

#include "screen/internal.h"

/* With this bit, ch is an index into the clusters: base and combining. */
#define CELL_CLUSTER 0x80000000u

enum cell_part {
	CELL_SINGLE, /* a column of its own */
	CELL_LEFT,   /* the character is here, … */
	CELL_RIGHT,  /* … and takes this column, too */
};

/* All zeros: blank. */
struct cell {
	uint32_t ch; /* 0: empty */
	uint32_t fg, bg;
	uint16_t attrs; /* enum screen_attr; high byte: its decoration */
	uint8_t part;	/* enum cell_part */
	bool wraps;	/* in the last column: the line continues below */
};

struct decoration {
	int style;  /* of the underline: n of SGR 4:n; 0: a plain one */
	char *link; /* OSC 8: parameters, a semicolon, URI; NULL: none */
};

struct grid {
	struct cell *block;
	struct cell **row;
};

struct saved {
	int x, y;
	bool wrap, origin;
	struct cell pen;
	uint8_t charset[4], shift;
};

struct model {
	struct screen *s;
	int cols, rows;
	struct grid main, alt;
	struct grid *grid; /* main or alt: the visible one */
	int x, y;
	bool wrap;	 /* the last column was written: the next one wraps */
	bool newline;	 /* LNM: LF does CR too */
	struct cell pen; /* ch 0, CELL_SINGLE */
	uint8_t charset[4], shift; /* 0 line drawing, 1 ASCII */
	struct saved saved[2];	   /* of main, of alt */
	uint32_t last;		   /* for REP */
	uint8_t *tabs;
	uint32_t (*cluster)[SCREEN_CELL_CHARS];
	uint32_t clusters, cluster_cap;
	struct decoration *decoration; /* a table, once there is one */
};

/* grid.c */
void grid_init(struct grid *g, int cols, int rows);
void grid_finish(struct grid *g);
/* skip: rows lost at the top; their content is the caller's to save. */
void grid_resize(struct grid *g, int cols, int rows, int to_cols, int to_rows,
		 int skip);
void grid_fill(struct cell *at, int n, const struct cell *with);
/* n empty cells in the colours that erasing leaves (the pen's background). */
void grid_blank(const struct model *m, struct cell *at, int n);
/* Makes whole what a change at [from, to) would leave as half a character. */
void grid_repair(struct model *m, int row, int from, int to);
void grid_erase(struct model *m, int row, int from, int to);
void grid_scroll_up(struct model *m, int top, int bottom, int n);
void grid_scroll_down(struct model *m, int top, int bottom, int n);
void grid_insert(struct model *m, int n); /* cells at the cursor */
void grid_delete(struct model *m, int n);
/* Adds a combining character to a cell. */
void grid_combine(struct model *m, struct cell *c, uint32_t cp);
/* Whether the next character belongs to it, as tmux has it. */
bool grid_joins(const struct model *m, const struct cell *c);
void grid_convert(const struct model *m, const struct cell *c,
		  struct screen_cell *out);

/* decoration.c */
/* Returns the record of attrs, borrowed until the pen gets another one. */
const struct decoration *decoration_of(const struct model *m, uint16_t attrs);
/* Give the pen a style, and the link of an OSC 8, which has no control
 * characters; if it is too long or has no URI, none. */
void decoration_underline(struct model *m, int style);
void decoration_link(struct model *m, const char *text, size_t len);
void decoration_finish(struct model *m);

/* model.c */
/* keep: the rows that leave the region at the top go into the history. */
void model_scroll_up(struct model *m, int top, int bottom, int n, bool keep);
/* Called before the visible content is cleared or covered. */
void model_wipe(struct model *m);
void model_put_char(struct model *m, uint32_t cp);
void model_linefeed(struct model *m);
void model_goto(struct model *m, int x, int y); /* clamped */
void model_tab(struct model *m, int n);		/* n stops on, or back */
void model_reset(struct model *m, bool hard);
void model_alt(struct model *m, bool on);
void model_save(struct model *m);
void model_restore(struct model *m);

#endif
