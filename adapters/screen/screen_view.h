/* screen_view.h - the screen as adapters see it, and what they see in it. */
#ifndef AFW_ADAPTERS_SCREEN_SCREEN_VIEW_H
#define AFW_ADAPTERS_SCREEN_SCREEN_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/reading.h"
#include "base/buf.h"

/* The screen as adapters see it. Rows top to bottom, UTF-8, blanks at the
 * end cut. All borrowed for the call. */
struct screen_view {
	const char *const *rows;
	/* The same rows with dim (placeholder, ghost) text blanked out. */
	const char *const *solid;
	/* The same rows with only what is highlighted: reversed, or on another
	 * background than most of its row. NULL: not known. */
	const char *const *lit;
	size_t nrows;
	int cols;
	int cursor_col, cursor_row;
	bool cursor_visible;
	bool bracketed_paste;
	bool altscreen;
	/* Within a synchronized update (mode 2026): the picture is not whole
	 * yet. Codex and OpenCode draw so. */
	bool updating;
	bool synchronized; /* it has drawn in such updates */
	const char *title;
};

/* The row below the last that has something on it. */
int screen_view_end(const struct screen_view *v);

/* Whether a row begins with that. */
bool row_starts(const char *row, const char *with);

/* Appends s without blanks, box drawing, joiners and '|'. */
void row_squeeze(const char *s, size_t len, struct buf *out);

enum composer {
	COMPOSER_UNKNOWN, /* this harness's composer cannot be told */
	COMPOSER_ABSENT,  /* not on the screen: starting, dialog, pager */
	COMPOSER_EMPTY,
	COMPOSER_DRAFT, /* holds text */
};

/*
 * The rows of the dialog that is up, where the adapter can tell them from
 * what a model prints, above it or in it: an approval is looked for nowhere
 * else (approval.h).
 */
#define DIALOG_OPTIONS 9

struct dialog {
	bool known; /* false: any row of the screen may be the dialog's */
	/* It shows where what is asked begins and ends, and that is one row:
	 * all of it is in the reading's detail. */
	bool whole;
	int top, menu; /* an approval's own row is one of [top, menu) */
	/* The rows that options stand in, top to bottom; none: whatever is
	 * asked, it is no approval. */
	int options[DIALOG_OPTIONS], noptions;
};

/* What the screen says (source SOURCE_SCREEN in reading). */
struct look {
	struct reading reading;
	enum composer composer;
	bool blank; /* nothing is on it at all; adapter_look() says so */
	/* The composer is absent. Set by adapter_look(): a row shows what the
	 * user has opened in its place, and reading.detail names that; the
	 * harness may be about to draw the composer. */
	bool overlay, half_drawn;
	/* A digest of the draft's text, blanks left out. Where a paste is shown
	 * collapsed, with a number, that is added: when it is put back it has
	 * the next one. 0: there is none, or it is not known. */
	uint64_t draft;
	bool queued; /* messages that it took wait in a queue of its own */
	struct dialog dialog; /* of a question */
};

#endif
