/*
 * listing.h - a view of rows: of what one of afw's commands lists, which a
 * child of ours runs, or of what the sessions say. They are made again whenever
 * they may be others.
 */
#ifndef AFW_TUI_LISTING_H
#define AFW_TUI_LISTING_H

#include <cjson/cJSON.h>

#include "tui/keys.h"
#include "tui/rows.h"
#include "tui/tui.h"

struct listing {
	struct view view;
	const struct listing_kind *kind;
	struct tui *t;
	struct rows rows;
	cJSON *all; /* what a command printed; NULL: nothing yet */
	char *why;  /* it did not; or NULL */
	uint64_t moment;
	bool reading, again;
};

struct listing_kind {
	/* Without a command: adds all rows. */
	void (*fill)(struct listing *l);
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

struct view *listing_view(struct tui *t, const struct listing_kind *kind);

#endif
