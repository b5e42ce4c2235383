/*
 * screen.h - a terminal's screen as a model: bytes in; cells, cursor, title,
 * modes and scrollback out.
 *
 * Pure: no descriptor, no clock, no allocation that grows with what is fed
 * (scrollback is bounded, in lines and at 1 KiB a line on average). Nothing
 * outside src/screen knows which emulator is underneath (one of our own).
 *
 * Everything a harness prints passes screen_feed() once. It does four things:
 * it updates the model; it answers what a terminal is asked (DA1, DA2,
 * XTVERSION, DSR, CPR, DECRQM, kitty `CSI ? u`, OSC 10/11/12 `?`, OSC 7501
 * `?`) into the reply callback, always and only here, whether or not a client
 * is attached (as tmux does); it reports events (title, bell, OSC 7501,
 * notifications OSC 9/99/777, clipboard); and it hands on text and those
 * sequences that are allowed (allow.c) to the pass callback, for clients that
 * show the session as it is.
 *
 * Sequences are allowed if the model knows them and screen_leave() undoes them,
 * and so are titles, links and notifications; never a query, a change of the
 * terminal's own settings, a C1 control or an interrupted sequence. Clients get
 * valid UTF-8; an invalid byte becomes U+FFFD. A sequence or character that a
 * feed leaves unfinished is held until it is whole; so
 * between two feeds a client may get a redraw or any other bytes of
 * afw. Clients always report focus: the code that passes keys checks the mode.
 *
 * Callbacks are made from screen_feed() and must not call it or
 * screen_resize() or screen_destroy().
 */
#ifndef AFW_SCREEN_SCREEN_H
#define AFW_SCREEN_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "screen/cell.h"

#define SCREEN_MIN_COLS 2
#define SCREEN_MIN_ROWS 1
#define SCREEN_MAX_COLS 1000
#define SCREEN_MAX_ROWS 1000

struct screen;

struct screen_events {
	void *ctx;
	/* Bytes to write to the harness, at once. Any may be NULL. */
	void (*reply)(void *ctx, const char *data, size_t len);
	/* Output for clients: the input without terminal queries. */
	void (*pass)(void *ctx, const char *data, size_t len);
	/* Title (OSC 0/2): valid UTF-8, made printable, at most 255 bytes. */
	void (*title)(void *ctx, const char *title);
	/* OSC 7501 payload behind "7501;", as it came, at most 4 KiB: Claude
	 * Code's msg alone may be 2 KiB before base64 (2.1.329, read in its
	 * bundle). */
	void (*program_status)(void *ctx, const char *payload);
	void (*bell)(void *ctx);
	/* OSC 9, 99 or 777 text, made printable. */
	void (*notify)(void *ctx, const char *text);
	/* OSC 52 behind "52;": selections, a semicolon, base64. */
	void (*clipboard)(void *ctx, const char *text, size_t len);
	/* This row of the main screen leaves it at the top, as the ones above
	 * it have; the main screen is about to be cleared, or covered by the
	 * alternate one. Its rows may be read. */
	void (*leave)(void *ctx, int row);
	void (*wipe)(void *ctx);
};

enum screen_mouse {
	SCREEN_MOUSE_OFF,
	SCREEN_MOUSE_X10 = 9,
	SCREEN_MOUSE_CLICK = 1000,
	SCREEN_MOUSE_DRAG = 1002,
	SCREEN_MOUSE_MOVE = 1003
};

/* The modes that the harness has set, and a client must have set too. */
struct screen_modes {
	bool altscreen;	      /* 1049, 47 */
	bool bracketed_paste; /* 2004 */
	bool focus;	      /* 1004 */
	bool sync;	      /* 2026: an update is under way */
	bool color_scheme;    /* 2031 */
	bool app_cursor;      /* DECCKM, 1 */
	bool app_keypad;      /* DECKPAM */
	bool cursor_visible;  /* 25 */
	bool autowrap;	      /* 7 */
	bool mouse_sgr;	      /* 1006 */
	bool own_tabs;	      /* tab stops are elsewhere than every 8 */
	enum screen_mouse mouse;
	int cursor_shape;      /* DECSCUSR 0..6 */
	int kitty_flags;       /* current progressive enhancement flags */
	int modify_other_keys; /* CSI > 4 ; n m */
};

/* scrollback: the number of lines kept at most, 0 for none. */
struct screen *screen_create(int cols, int rows, int scrollback,
			     const struct screen_events *events);
void screen_destroy(struct screen *s);

void screen_feed(struct screen *s, const char *data, size_t len);

/* Clamped to the limits above. Content is reflowed as the emulator does. */
void screen_resize(struct screen *s, int cols, int rows);

int screen_cols(const struct screen *s);
int screen_rows(const struct screen *s);
void screen_cursor(const struct screen *s, int *col, int *row);
const char *screen_title(const struct screen *s); /* borrowed; "" if none */
const struct screen_modes *screen_modes(const struct screen *s); /* borrowed */

/* Row 0 is the top of the screen; -1 the newest line of scrollback, down to
 * -screen_history(). Out of range gives an empty cell. */
int screen_history(const struct screen *s);
void screen_cell(const struct screen *s, int col, int row,
		 struct screen_cell *out);

/* Changes with what a row of the screen shows. */
uint64_t screen_row_hash(const struct screen *s, int row);

/* Counts up whenever what is visible changes; for "has anything changed". */
uint64_t screen_revision(const struct screen *s);
/* How many synchronized updates (2026) have begun. */
uint64_t screen_updates(const struct screen *s);

/*
 * Appends one row as UTF-8 text that is safe to show (utf8_cp_unsafe()),
 * trailing blanks cut, no newline. With colours: SGR sequences and links (OSC
 * 8) inside, and a reset at the end where one is needed (as tmux capture-pane
 * -e).
 */
void screen_row_text(const struct screen *s, int row, bool colours,
		     struct buf *out);

/* Draws such a text from another's model in a row: the way back. */
void screen_draw_line(struct screen *s, int row, const char *text);

/*
 * The same without colours, to join the rows of a long line: returns whether
 * the line continues in the next row; then blanks at the end belong to it.
 */
bool screen_row_line(const struct screen *s, int row, struct buf *out);

/* The last row that has text, made printable, cut to max columns; "". */
void screen_last_line(const struct screen *s, int max_cols, struct buf *out);

#endif
