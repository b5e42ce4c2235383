/*
 * bell.h - the dashboard's bell, and the notification that the terminal
 * itself can show (OSC 9, OSC 777). The supervisors say when, by counting in
 * state.json; of a session whose supervisor is gone, the dashboard sees it.
 */
#ifndef AFW_TUI_MODEL_BELL_H
#define AFW_TUI_MODEL_BELL_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/loop.h"
#include "config/config.h"
#include "tui/model/roster.h"

struct bell;

enum bell_osc {
	BELL_OSC_NONE,
	BELL_OSC_9,
	BELL_OSC_777,
};

/* Tells nothing until it is configured. */
struct bell *bell_create(struct loop *loop);
void bell_destroy(struct bell *n); /* NULL does nothing */
void bell_configure(struct bell *n, const struct config *c);

/*
 * The sessions may have changed: compares all with what they were. Of those
 * that were not there before nothing is told.
 */
void bell_update(struct bell *n, const struct roster *r);

/* The terminal is not ours for now: nothing is written, nothing is kept. */
void bell_hush(struct bell *n, bool hush);

/*
 * The sequence, appended: text printable (ASCII alone where utf8 is false),
 * bounded; tmux: wrapped, so that tmux hands it to the terminal it runs in
 * if its allow-passthrough says so, and drops it else.
 */
void bell_sequence(enum bell_osc osc, const char *title, const char *text,
		   bool utf8, bool tmux, struct buf *out);

#endif
