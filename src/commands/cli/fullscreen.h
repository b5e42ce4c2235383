/*
 * fullscreen.h - a picture that has the whole terminal and is drawn again and
 * again, each in one write, until q or Ctrl-C is typed or a signal ends it.
 * Ctrl-Z suspends the command.
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

/* Whether standard input and output are a terminal. */
bool fullscreen_possible(void);

/* what: the command, for err. Another size and what ends it interrupt poll(2)
 * from here on. */
int fullscreen_begin(struct fullscreen *f, const char *what, struct err *err);
/* The terminal is as it was. */
void fullscreen_end(struct fullscreen *f);

/* Begins a picture on standard output; it is seen when that is flushed. */
void fullscreen_clear(void);
/* Rows of the terminal. */
int fullscreen_rows(void);

/*
 * Waits for ms, or until a key ends it, or until the picture must be drawn
 * again (another size, or back from Ctrl-Z). 0 only reads keys. Returns false
 * if the command is to end.
 */
bool fullscreen_pause(int64_t ms);

#endif
