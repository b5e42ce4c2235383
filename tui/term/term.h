/* term.h - the terminal: starts curses, ends it, and restores the terminal in
 * an emergency. There is one terminal, so its state is kept here. */
#ifndef AFW_TUI_TERM_TERM_H
#define AFW_TUI_TERM_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* The smallest window in which anything is shown. */
#define TERM_MIN_COLS 40
#define TERM_MIN_ROWS 10

/*
 * Sets the locale and starts curses on standard input and output. -1 with err
 * if they are not a terminal, or TERM names one without the needed features;
 * nothing has been written to the terminal then. mouse: requests mouse reports.
 */
int term_start(bool mouse, struct err *err);

/* Ends curses and restores the terminal. Harmless if not started. */
void term_stop(void);

/* The first hands the terminal to a child, the second takes it over again. */
void term_suspend(void);
void term_resume(void);

/* Writes a sequence that changes nothing on the screen, at once; not while the
 * terminal is handed over. */
void term_write(const char *sequence);

/* Adopts the window's current size. */
void term_resize(void);

bool term_utf8(void);	 /* otherwise characters other than ASCII show as '?' */
bool term_colours(void); /* false with NO_COLOR, or if there are none */

/* Restores the terminal with write(2) and tcsetattr(3) alone, so that a signal
 * handler or mem_on_abort() may call it. */
void term_restore_now(void);

/* One key. */
enum key_kind {
	KEY_KIND_NONE,	/* no key is waiting */
	KEY_KIND_CHAR,	/* cp: a character; control characters as they are */
	KEY_KIND_ALT,	/* cp with Alt held */
	KEY_KIND_NAMED, /* cp: curses' KEY_ code */
	KEY_KIND_PASTE, /* cp: a character of a paste; never a command */
	KEY_KIND_MOUSE, /* cp: mouse_unpack() */
};

struct key {
	enum key_kind kind;
	uint32_t cp;
};

/* Returns whether the key is Esc or Ctrl-C, which leaves a question or a
 * form. */
bool key_is_cancel(struct key k);

/* Reads a key without waiting (except 25 ms after an ESC). */
struct key term_key(void);

/* Ends a paste whose end was not received: nothing arrived for a while. */
void term_paste_ended(void);
bool term_in_paste(void);

/* Returns "ncurses 6.4.20221231", as it was loaded. */
const char *term_library(void);

#endif
