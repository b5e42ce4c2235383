/*
 * listing.h - a view of what one of afw's commands lists, as rows. A child of
 * ours runs it, again whenever it may print something else.
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
	cJSON *all; /* what it printed: rows.v[].of; NULL: nothing yet */
	char *why;  /* it did not; or NULL */
	uint64_t moment;
	bool reading, again;
};

struct listing_kind {
	const char *words[6]; /* the command: prints one array of objects */
	const char *nothing;
	const struct hint *hints;
	enum act act; /* whose key leaves it, too */
	/* Changes when it may print something else; t->done does already. */
	uint64_t (*moment)(const struct tui *t);
	void (*add)(struct listing *l, const cJSON *o); /* a row */
	/* chosen: rows.at, with what it stands for. */
	void (*act_on)(struct listing *l, const cJSON *chosen, uint32_t key);
};

struct view *listing_view(struct tui *t, const struct listing_kind *kind);

#endif
