/* filter.h - filters what a program prints before it reaches the user's
 * terminal, by the rules of screen/screen.h, as for an attached session. */
#ifndef AFW_COMMANDS_CLI_FILTER_H
#define AFW_COMMANDS_CLI_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct filter {
	struct screen *screen; /* NULL: not open */
	const char *clipboard; /* as in afw.ini(5); borrowed */
	bool focused;	       /* the terminal has the focus: for clipboard */
	bool styled;	       /* more than plain text was printed */
	bool focus;	       /* the terminal reports its focus */
	struct buf out;	       /* for the terminal; the caller empties it */
	/* for the program; the caller removes what was written */
	struct buf replies;
};

/* Opens f, which must not move in memory until filter_end(). */
void filter_open(struct filter *f, int cols, int rows, const char *clipboard);
void filter_finish(struct filter *f);

void filter_feed(struct filter *f, const char *data, size_t len);

/* Call it when the program has ended. Adds to f->out what restores the
 * terminal's modes and title. */
void filter_end(struct filter *f);

#endif
