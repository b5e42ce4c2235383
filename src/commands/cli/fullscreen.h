/*
 * fullscreen.h - a picture on the whole terminal, redrawn repeatedly, each time
 * in one write, until q or Ctrl-C is typed or a signal ends it. Ctrl-Z suspends
 * the command.
 */
#ifndef AFW_COMMANDS_CLI_FULLSCREEN_H
#define AFW_COMMANDS_CLI_FULLSCREEN_H

#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

#include "base/err.h"

struct fullscreen {
	struct termios saved;
};

/* Returns whether standard input and output are terminals. */
bool fullscreen_possible(void);

/* Switches the terminal to full screen. what: the command's name, for err. From
 * then on a change of size or a signal that ends the command interrupts
 * poll(2). */
int fullscreen_begin(struct fullscreen *f, const char *what, struct err *err);
/* Restores the terminal. */
void fullscreen_end(struct fullscreen *f);

/* Begins a picture on standard output; it appears when that is flushed. */
void fullscreen_clear(void);
/* Returns the number of rows of the terminal. */
int fullscreen_rows(void);

/*
 * Waits for ms, or until a key ends the command, or until the picture must be
 * redrawn (the size changed, or after Ctrl-Z). With 0 it only reads keys.
 * Returns false if the command must end.
 */
bool fullscreen_pause(int64_t ms);

#endif
