/*
 * rows.h - a view of rows, with all the words of the chosen one below them:
 * of what one of afw's commands lists, which a child of ours runs. They are
 * made again whenever they may be others; what is
 * chosen is known by its key, so that nothing that comes or goes meanwhile is
 * taken for it.
 */
#ifndef AFW_TUI_WIDGETS_ROWS_H
#define AFW_TUI_WIDGETS_ROWS_H

#include <cjson/cJSON.h>

#include "tui/child/refresh.h"
#include "tui/term/keys.h"
#include "tui/tui.h"

#define ROW_KEY 64

struct row {
	char *name, *note; /* note: in a column of its own */
	char *text;	   /* one line, and below all of it */
	char *title;	   /* above that */
	int64_t since;	   /* wall ms */
	const void *of;	   /* what it stands for; borrowed */
	char key[ROW_KEY];
};

struct rows {
	struct view view;
	const struct rows_kind *kind;
	struct tui *t;
	struct row *v;
	size_t n, at, top;
	char key[ROW_KEY]; /* the chosen one's */
	int row, shown;	   /* on the screen, as drawn last */
	bool pressed;	   /* the mouse, on the chosen one */
	struct refresh list;
	cJSON *all;	   /* what a command printed; NULL: nothing yet */
	char *why;	   /* it did not; or NULL */
	uint64_t version;
};

struct rows_kind {
	const char *words[6]; /* the command: prints one array of objects */
	/* Changes when it may print something else; t->done does already. */
	uint64_t (*version)(const struct tui *t);
	void (*add)(struct rows *l, const cJSON *o); /* a row */
	const char *nothing;
	const struct view_key *keys; /* run with a row that is chosen */
	enum act act;		     /* whose key leaves it, too */
};

/* The keys of all lists of rows, at the end of their tables. */
#define ROWS_KEYS                                                              \
	{"{down}/{up}", "", "the next one, the one before", NULL},             \
	    {"{first}/{last}", "", "the first, the last", NULL},               \
	    {"{quit}", "back", NULL, NULL},                                    \
	{                                                                      \
		0                                                              \
	}

/* A row more, whose strings are taken. */
struct row *rows_add(struct rows *l, const char *key);

/* For keys: the chosen row; and one that shows all of it. */
const struct row *rows_chosen(const struct view *v);
void rows_read(struct tui *t, struct view *v, uint32_t pressed);

struct view *rows_view(struct tui *t, const struct rows_kind *kind);

#endif
