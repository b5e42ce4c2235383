/*
 * filter.h - what a program prints, as it may reach the user's terminal: what
 * screen/screen.h allows, as for an attached session.
 */
#ifndef AFW_COMMANDS_CLI_FILTER_H
#define AFW_COMMANDS_CLI_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct filter {
	struct screen *screen; /* NULL: it is not open */
	const char *clipboard; /* as in afw.ini(5); borrowed */
	bool focused;	       /* for that: the terminal has the focus */
	bool styled;	       /* more than text was printed */
	bool focus;	       /* the terminal reports its focus */
	struct buf out;	       /* for the terminal; the caller takes it */
	struct buf replies;    /* for the program, as far as it takes them */
};

/* f must stay where it is; to be finished. */
void filter_open(struct filter *f, int cols, int rows, const char *clipboard);
void filter_finish(struct filter *f);

void filter_feed(struct filter *f, const char *data, size_t len);

/* The program has ended: the terminal's modes and title are as before. */
void filter_end(struct filter *f);

#endif
