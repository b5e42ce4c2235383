/*
 * rows.h - a list that one goes through, with all the words of the chosen one
 * below it: the inbox, the queue, the trash. No view of its own.
 *
 * It is filled anew whenever it may have changed. What is chosen is known by
 * its key, so that nothing that comes or goes meanwhile is taken for it.
 */
#ifndef AFW_TUI_ROWS_H
#define AFW_TUI_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/paint.h"
#include "tui/term.h"

#define ROW_KEY 64

struct mouse;
struct tui;

struct row_text {
	char *name, *note; /* note: in a column of its own */
	char *text;	   /* one line, and below all of it */
	char *title;	   /* above that */
	int64_t since;	   /* wall ms */
	const void *of;	   /* what it stands for; borrowed */
	char key[ROW_KEY];
};

/* A zeroed one is empty. */
struct rows {
	struct row_text *v;
	size_t n, at, top;
	int row, shown;	   /* on the screen, as drawn last */
	bool again;	   /* the press was on the chosen one */
	char key[ROW_KEY]; /* the chosen one's */
};

/* Empty, but for what is chosen; then one for each, whose strings are taken;
 * then the chosen one is found again, or what stands in its place. */
void rows_clear(struct rows *rows);
struct row_text *rows_add(struct rows *rows, const char *key);
void rows_settle(struct rows *rows);

const struct row_text *rows_chosen(const struct rows *rows); /* or NULL */

/* nothing: what an empty one says. */
void rows_draw(struct tui *t, struct rows *rows, const struct rect *r,
	       const char *nothing);

/* True where it was a key for going through. */
bool rows_key(struct rows *rows, struct key k);

/* A click chooses, the wheel goes through. True where the chosen one was
 * clicked twice. */
bool rows_mouse(struct rows *rows, const struct mouse *m);

#endif
