/* screen_view.h - the screen as adapters get it, and what they find in it. */
#ifndef AFW_ADAPTERS_SCREEN_SCREEN_VIEW_H
#define AFW_ADAPTERS_SCREEN_SCREEN_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/reading.h"
#include "base/buf.h"

/* The screen as adapters get it. Rows top to bottom, UTF-8, without trailing
 * blanks. All borrowed for the call. */
struct screen_view {
	const char *const *rows;
	/* The same rows with dim (placeholder, ghost) text blanked out. */
	const char *const *solid;
	/* The same rows with only highlighted text: reversed, or on another
	 * background than most of its row. NULL: unknown. */
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
	bool synchronized; /* it has used such updates */
	const char *title;
};

/* Returns the row below the last row that is not empty. */
int screen_view_end(const struct screen_view *v);

/* True if a row begins with it. */
bool row_starts(const char *row, const char *with);

/* Appends s without blanks, box drawing, joiners, '|', and the sign with which
 * Letta shows a line break (U+21B5). */
void row_squeeze(const char *s, size_t len, struct buf *out);

enum composer {
	COMPOSER_UNKNOWN, /* unknown for this harness */
	COMPOSER_ABSENT,  /* not on the screen: starting, dialog, pager */
	COMPOSER_EMPTY,
	COMPOSER_DRAFT, /* has text */
};

/*
 * The rows of the open dialog, if the adapter can distinguish them from text of
 * the model, above it or in it: an approval is searched only there
 * (approval.h).
 */
#define DIALOG_OPTIONS 9
#define DIALOG_KEYS    200

struct dialog {
	bool known; /* false: any row of the screen may belong to the dialog */
	/* The question is one row, and its start and end are shown: the
	 * reading's detail has all of it. */
	bool whole;
	int top, menu; /* an approval's own row is one of [top, menu) */
	/* The rows of the options, top to bottom; none: it is not an
	 * approval. */
	int options[DIALOG_OPTIONS], noptions;
	/* No key chooses an option: the arrows move the marker, which is at
	 * this option now, and Enter takes it. */
	bool moves;
	int marked;
	char keys[DIALOG_KEYS]; /* its row that says which, or ""; printable */
};

/* What the screen shows (source SOURCE_SCREEN in reading). */
struct screen_state {
	struct reading reading;
	enum composer composer;
	bool blank; /* the screen is empty; set by adapter_read_screen() */
	/* The composer is absent; set by adapter_read_screen(). overlay: a row
	 * shows what the user has opened in its place, and reading.detail names
	 * it. half_drawn: the harness may be about to draw the composer. */
	bool overlay, half_drawn;
	/* A digest of the draft's text without blanks, including the number of
	 * a collapsed paste: when it is restored it has the next number. 0:
	 * there is none, or it is unknown. */
	uint64_t draft;
	char limit[READING_TEXT]; /* its own words on a limit (usage_limit.h),
				     or "" */
	char limit_key; /* closes the limit's dialog, which is up; 0 */
	bool continues; /* it says that it continues by itself when that is over
			 */
	bool queued;	/* its own queue has messages */
	bool inserts;	/* the interrupt's key only leaves an insert mode */
	struct dialog dialog; /* of a question */
};

#endif
