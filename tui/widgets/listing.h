/*
 * listing.h - a view of rows, with all the words of the chosen one below them:
 * of what one of afw's commands lists, which a child of ours runs. They are
 * made again whenever they may be others; what is
 * chosen is known by its key, so that nothing that comes or goes meanwhile is
 * taken for it.
 */
#ifndef AFW_TUI_WIDGETS_LISTING_H
#define AFW_TUI_WIDGETS_LISTING_H

#include <cjson/cJSON.h>

#include "tui/term/keys.h"
#include "tui/tui.h"

#define ROW_KEY 64

struct row_text {
	char *name, *note; /* note: in a column of its own */
	char *text;	   /* one line, and below all of it */
	char *title;	   /* above that */
	int64_t since;	   /* wall ms */
	const void *of;	   /* what it stands for; borrowed */
	char key[ROW_KEY];
};

struct listing {
	struct view view;
	const struct listing_kind *kind;
	struct tui *t;
	struct row_text *v;
	size_t n, at, top;
	char key[ROW_KEY]; /* the chosen one's */
	int row, shown;	   /* on the screen, as drawn last */
	bool pressed;	   /* the mouse, on the chosen one */
	cJSON *all; /* what a command printed; NULL: nothing yet */
	char *why;  /* it did not; or NULL */
	uint64_t moment;
	bool reading, again;
};

struct listing_kind {
	const char *words[6]; /* the command: prints one array of objects */
	/* Changes when it may print something else; t->done does already. */
	uint64_t (*moment)(const struct tui *t);
	void (*add)(struct listing *l, const cJSON *o); /* a row */
	const char *nothing;
	const struct hint *hints;
	enum act act; /* whose key leaves it, too */
	/* w: the chosen one. */
	void (*act_on)(struct listing *l, const struct row_text *w,
		       uint32_t key);
};

/* The keys of all listings, at the end of their hints. */
#define LISTING_HINTS                                                          \
	{"{down}/{up}", "", "the next one, the one before"},                   \
	    {"{first}/{last}", "", "the first, the last"},                     \
	    {"{quit}", "back", NULL},                                          \
	{                                                                      \
		NULL, NULL, NULL                                               \
	}

/* A row more, whose strings are taken. */
struct row_text *listing_add(struct listing *l, const char *key);

struct view *listing_view(struct tui *t, const struct listing_kind *kind);

#endif
