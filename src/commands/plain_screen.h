/* plain_screen.h - what plain.c and plain_parse.c share. */
#ifndef AFW_COMMANDS_PLAIN_SCREEN_H
#define AFW_COMMANDS_PLAIN_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "commands/plain.h"

#define PLAIN_SEEN   512 /* lines that are not told twice */
#define PLAIN_PARAMS 16

struct plain_cell {
	char text[7]; /* one character with its marks; "": blank */
	bool tail;    /* the right half of the one before */
};

struct plain_row {
	struct plain_cell *cells;
	int64_t at; /* when it was written last */
	bool told;  /* as it is now, or nothing was ever written */
	bool wraps; /* the line goes on in the next row */
};

enum plain_state {
	PLAIN_GROUND,
	PLAIN_ESC,
	PLAIN_ESC_SKIP, /* one more character belongs to it */
	PLAIN_CSI,
	PLAIN_STRING, /* OSC, DCS, APC, PM, SOS: to ST or BEL */
	PLAIN_STRING_ESC,
};

struct plain {
	plain_line_fn fn;
	void *ctx;
	int64_t now;
	int cols, rows;
	struct plain_row **row;
	int x, y, top, bottom; /* x may be cols: the next one wraps */
	int saved_x, saved_y;
	bool screen;	  /* the program moves the cursor about */
	bool blank;	  /* the last line told was empty */
	struct buf carry; /* of a long line, what has left the screen */
	uint32_t seen[PLAIN_SEEN];
	size_t seen_at;

	enum plain_state state;
	int param[PLAIN_PARAMS];
	int n_params;
	char lead; /* '?', '>', '<', '=' or an intermediate byte; 0: none */
};

/* One character of the program's output. */
void plain_parse(struct plain *p, uint32_t cp);

/* What the sequences do. */
void plain_put(struct plain *p, uint32_t cp);
void plain_linefeed(struct plain *p, bool wrap);
void plain_scroll(struct plain *p, int top, int bottom, int n);
void plain_erase(struct plain *p, int y, int from, int to);
void plain_shift(struct plain *p, int n); /* n cells in (or, < 0, out) */
void plain_clear_all(struct plain *p);	  /* tells what was there first */

#endif
