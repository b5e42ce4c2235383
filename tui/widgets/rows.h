/*
 * rows.h - a view of rows that one of afw's commands lists, run as a child,
 * with the full text of the chosen row below them. The list is read again when
 * it may have changed; the choice is kept by its key, so that rows that appear
 * or disappear do not change it.
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
	enum look look;	   /* of the note */
	char *changes;	   /* "+12 -3"; or NULL */
	char *text;	   /* one line */
	char *more;	   /* the full text, below the rows; NULL: text */
	char *title;	   /* above the full text */
	int64_t since;	   /* wall ms */
	const void *of;	   /* the object behind the row; borrowed */
	char key[ROW_KEY];
};

struct rows {
	struct view view;
	const struct rows_kind *kind;
	struct tui *t;
	struct row *v;
	size_t n, at, top;
	char key[ROW_KEY];    /* the chosen one's */
	char marked[ROW_KEY]; /* the marked one's, or "" */
	struct strv ids;      /* rows_view_of() */
	char *dir;	      /* rows_view_in() */
	struct strv off;      /* keys of rows that the user has left out */
	bool held;	      /* the rows stay as they are: see land_view.c */
	int row, shown;	      /* on the screen, as last drawn */
	bool pressed;	      /* the mouse button, on the chosen row */
	struct refresh list;
	cJSON *all; /* the command's output; NULL: nothing yet */
	char *why;  /* why it failed; or NULL */
	uint64_t version;
};

struct rows_kind {
	/* the command, which prints one array of objects */
	const char *words[6];
	const char *member; /* the array's, if it prints an object; or NULL */
	/* Changes when the output may change; t->done is checked already. */
	uint64_t (*version)(const struct tui *t);
	void (*add)(struct rows *l, const cJSON *o); /* adds a row */
	const char *nothing;
	const char *heading; /* above the rows */
	/* Titles of the columns note, time, changes and text; NULL: there is no
	 * such column. */
	const char *titles[4];
	/* The further words are not sessions, the command prints an object on
	 * each line, and exits with 1 if there is none. */
	bool searches;
	bool marks; /* {mark} marks one row, or removes the mark */
	/* {mark} calls it for the chosen row; or NULL */
	void (*choose)(struct rows *l, struct row *w);
	const struct view_key *keys; /* they apply to a chosen row */
	/* Whether a key can do something now; NULL: all can. */
	bool (*works)(const struct rows *l, const char *key);
	enum act act; /* its key also closes the view */
};

/* The keys of all lists of rows, at the end of their tables. */
#define ROWS_KEYS                                                              \
	{"{down}/{up}", "", "the next one, the one before", NULL},             \
	    {"{first}/{last}", "", "the first, the last", NULL},               \
	    {"{quit}", "back", NULL, NULL},                                    \
	{                                                                      \
		0                                                              \
	}

/* Returns the look of a session's state. */
enum look rows_look(enum word word);

/* Adds a row; the view frees its strings. */
struct row *rows_add(struct rows *l, const char *key);

/* For keys: the chosen row; and a view with its full text. */
const struct row *rows_chosen(const struct view *v);
void rows_read(struct tui *t, struct view *v, uint32_t pressed);

struct view *rows_view(struct tui *t, const struct rows_kind *kind);
/* ids, which it takes: further words; those that no session has are left out,
 * unless it searches. */
struct view *rows_view_of(struct tui *t, const struct rows_kind *kind,
			  struct strv ids);
/* The command runs in that directory. */
struct view *rows_view_in(struct tui *t, const struct rows_kind *kind,
			  const char *dir);
/* Returns the top view if it is of that kind, else NULL. */
struct rows *rows_top(const struct tui *t, const struct rows_kind *kind);

#endif
