/*
 * bell.h - the dashboard's bell, and notifications that the terminal itself
 * shows (OSC 9, OSC 777). The supervisors decide when, and count notices in
 * state.json; if a session's supervisor has ended, the dashboard notices it.
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

/* Notifies nothing until it is configured. */
struct bell *bell_create(struct loop *loop);
void bell_destroy(struct bell *n); /* NULL does nothing */
void bell_configure(struct bell *n, const struct config *c);

/* Call it when the sessions may have changed: compares all with their last
 * state. New sessions cause no notices. */
void bell_update(struct bell *n, const struct roster *r);

/* While hush is set (the terminal is handed over), nothing is written, and
 * notices are dropped. */
void bell_hush(struct bell *n, bool hush);

/*
 * Appends the sequence, with text made printable (only ASCII if utf8 is false)
 * and bounded. tmux: wrapped for tmux, which passes it to its terminal if
 * allow-passthrough is on, and drops it otherwise.
 */
void bell_sequence(enum bell_osc osc, const char *title, const char *text,
		   bool utf8, bool tmux, struct buf *out);

#endif
