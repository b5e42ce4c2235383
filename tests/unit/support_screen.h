/* support_screen.h - a screen and a record of all its output: replies, events,
 * and the stream for clients. */
#ifndef AFW_TESTS_SUPPORT_SCREEN_H
#define AFW_TESTS_SUPPORT_SCREEN_H

#include <stddef.h>

#include "base/buf.h"
#include "screen/screen.h"

#define TAPE_COLS 20
#define TAPE_ROWS 5

struct tape {
	struct screen *s;
	struct buf reply, pass;
	struct buf notes; /* events as "title=x;bell;" */
};

void tape_init(struct tape *t);
void tape_finish(struct tape *t);

/* Feeds in and returns the modes after it, valid until the next call. */
const struct screen_modes *tape_feed(struct tape *t, const char *in);

/* Fails the test unless in does the same in two parts, cut at every byte,
 * and one byte at a time. */
void tape_splits_alike(const char *in, size_t len);

/* Appends the modes, except focus, which clients always report. */
void screen_modes_text(const struct screen *s, struct buf *out);

/* Appends everything visible of a screen, with that many lines of history. */
void screen_picture(const struct screen *s, int history, struct buf *out);

/* Fails the test unless the row has this text. */
void screen_expect_row(const struct screen *s, int row, const char *text);

#endif
