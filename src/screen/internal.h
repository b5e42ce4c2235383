/*
 * internal.h - shared by the files of src/screen; no other file includes it.
 *
 *   scanner.c   cuts the stream into text and sequences, holds and passes
 *   csi.c       a CSI sequence in its parts
 *   sequence.c  what a sequence means: modes, and whether it is a query
 *   mode.c      the private modes, in a table
 *   allow.c     whether it reaches the user's own terminal
 *   query.c     the answers
 *   string.c    OSC and DCS: title, status, notifications, colours
 *   model.c     the emulator: cells and cursor (with print.c, grid.c)
 *   control_function.c  what ESC and CSI do to it
 *   sgr.c       colours and attributes, read and written
 *   decoration.c  links and underline styles, which are rare
 *   history.c   lines that left the top of the screen
 *   text.c      cells to UTF-8
 *   redraw.c    the model to a terminal
 */
#ifndef AFW_SCREEN_INTERNAL_H
#define AFW_SCREEN_INTERNAL_H

#include "screen/screen.h"

#define SEQUENCE_MAX  1024	   /* a longer ESC or CSI sequence is dropped */
#define STRING_MAX    8192	   /* a longer OSC, DCS, APC is dropped … */
#define CLIPBOARD_MAX (256 * 1024) /* … except OSC 52 */
#define KITTY_STACK   16
#define STATUS_MAX    4096

enum scan_state {
	SCAN_GROUND,
	SCAN_ESC,
	SCAN_CSI,
	SCAN_STRING,
	SCAN_STRING_ESC, /* an ESC inside a string: ST or something new */
};

struct scanner {
	enum scan_state state;
	char kind;	 /* of a string: ] P _ ^ X */
	size_t len;	 /* bytes of the sequence so far */
	size_t controls; /* how many of them are not part of it */
	struct buf hold; /* those of earlier feeds */
	char part[4];	 /* of a character, which the next feed may complete */
	size_t part_len;
};

struct kitty_stack {
	int n; /* entries below the current one */
	int flags[KITTY_STACK];
	int now;
};

struct history {
	struct history_line **ring;
	int max, first, n;
	int scrolled; /* the newest ones, which a higher screen shows again */
	size_t bytes, max_bytes;
	struct buf text, runs; /* scratch */
};

/* A notification of OSC 99 that is not complete. */
struct notice {
	char id[64];
	struct buf title, body;
};

struct model;
struct cell;
struct csi;

struct screen {
	struct screen_events ev;
	int cols, rows;
	struct scanner scan;
	struct buf instead; /* goes to clients instead of what is dropped */
	struct model *model;
	struct history history;
	struct screen_modes modes;
	int mouse_encoding;	     /* 0, 1005, 1006, 1015, 1016 */
	bool origin;		     /* DECOM */
	bool insert;		     /* IRM */
	int top, bottom;	     /* scroll region, 0-based, inclusive */
	struct kitty_stack kitty[2]; /* main, alternate */
	char title[256];
	struct notice notice;
	uint64_t revision, updates;
};

struct pen {
	uint16_t attrs;
	uint32_t fg, bg;
};

/* The emulator. raw is a whole sequence as it came. */
struct model *model_create(struct screen *s);
void model_destroy(struct model *m);
/* data is valid UTF-8. */
void model_text(struct model *m, const char *data, size_t len);
void model_esc(struct model *m, const char *raw, size_t len);
void model_csi(struct model *m, const struct csi *c);
void model_resize(struct model *m, int cols, int rows);
bool model_row_is_blank(const struct model *m, int row);

/* history.c: index 0 is the newest. */
void history_init(struct history *h, int max);
void history_finish(struct history *h);
void history_clear(struct history *h);
void history_push(struct history *h, const struct model *m,
		  const struct cell *cells, int n);
/*
 * For a resize, beyond the limits until history_limit(): appends a row of n
 * cells with at least its first keep ones that were written; cuts all lines
 * again for a width, where *col in line *index moves with its character (or to
 * the end of the text; then *col may be cols); removes the newest line and
 * returns whether the next one continues it.
 */
void history_add(struct history *h, const struct model *m,
		 const struct cell *cells, int n, int keep);
void history_reflow(struct history *h, int cols, int *col, int *index);
bool history_pop(struct history *h);
void history_limit(struct history *h);
/* Fills cells (cap of them) and returns how many columns the line has. */
int history_get(const struct history *h, int index, struct screen_cell *cells,
		int cap);
/* Calls fn with the attrs of each run, the newest first. */
void history_each_attrs(struct history *h,
			void (*fn)(void *ctx, uint16_t *attrs), void *ctx);

/* sgr.c */
/* Changes the pen. */
void sgr_read(struct model *m, const struct csi *c);
void sgr_write(const struct pen *p, struct buf *out);
/* Takes a terminal from one pen to another, if they differ: SGR and link. */
void sgr_change(const struct model *m, struct pen *from, const struct pen *to,
		struct buf *out);

/* text.c */
/*
 * Cells as text; with a pen, SGR and links where it changes (the pen is kept
 * up to date). Empty cells are blanks.
 */
void text_cells(const struct model *m, const struct screen_cell *cells, int n,
		struct pen *pen, struct buf *out);
/* How many of n cells are left without the blanks at the end. */
int text_trim(const struct screen_cell *cells, int n, bool colours);
/* Returns whether a character may be in a cell: no control character. */
bool text_cell_char(uint32_t cp);
/*
 * The cells of a row (negative: history) in a new array, to be freed; *n is
 * their number. Never NULL. main: of the main screen, even while the
 * alternate one is shown. Their attrs have the decorations, too.
 */
struct screen_cell *text_row(const struct screen *s, bool main, int row,
			     int *n);

#endif
