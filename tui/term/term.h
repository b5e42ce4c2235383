/*
 * term.h - the terminal: into curses, out of it, and out of it in an
 * emergency. There is one terminal, so what is known of it is kept here.
 */
#ifndef AFW_TUI_TERM_TERM_H
#define AFW_TUI_TERM_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* The smallest window that anything is shown in. */
#define TERM_MIN_COLS 40
#define TERM_MIN_ROWS 10

/*
 * Sets the locale and starts curses on standard input and output. Fails in
 * words where they are no terminal, or TERM names one that cannot do it.
 * Nothing has been written to the terminal then. mouse: its mouse is heard.
 */
int term_start(bool mouse, struct err *err);

/* Leaves curses; the terminal is as it was. Harmless when not started. */
void term_stop(void);

/* Hands the terminal to a child, and takes it back. */
void term_suspend(void);
void term_resume(void);

/* Writes a sequence that changes nothing on the screen, at once; not where
 * the terminal is handed over. */
void term_write(const char *sequence);

/* Takes over the window's present size. */
void term_resize(void);

bool term_utf8(void);	 /* else other characters than ASCII show as '?' */
bool term_colours(void); /* false with NO_COLOR, or where there are none */

/*
 * Puts the terminal back by write(2) and tcsetattr(3) alone, so that a
 * signal handler or mem_on_abort() may call it.
 */
void term_restore_now(void);

/* One key. */
enum key_kind {
	KEY_KIND_NONE,	/* nothing there */
	KEY_KIND_CHAR,	/* cp: a character; control characters as they are */
	KEY_KIND_ALT,	/* cp with Alt held */
	KEY_KIND_NAMED, /* cp: curses' KEY_ code */
	KEY_KIND_PASTE, /* cp: a character out of a paste; never a command */
	KEY_KIND_MOUSE, /* cp: mouse_unpack() */
};

struct key {
	enum key_kind kind;
	uint32_t cp;
};

/* Esc or Ctrl-C: what leaves a question or a form. */
bool key_is_cancel(struct key k);

/* Reads without waiting (25 ms behind an ESC). */
struct key term_key(void);

/* A paste without an end is over: nothing came for a while. */
void term_paste_ended(void);
bool term_in_paste(void);

#endif
