/*
 * tabs.h - the tabs of the preview: the selected session's screen, its changes,
 * its events, its status, its checkpoints.
 *
 * The screen is live, from the feed; the other tabs are text that a child
 * process (afw diff, events, status, checkpoints, logs) has printed. Only the
 * text of the current session and tab is kept; it is read again when the
 * session's files show that it has changed. Never blocks.
 */
#ifndef AFW_TUI_PREVIEW_TABS_H
#define AFW_TUI_PREVIEW_TABS_H

#include "session/session.h"
#include "tui/term/keys.h"
#include "tui/widgets/scroll.h"

struct tui;
struct tabs;

enum tab {
	TAB_SCREEN,
	TAB_DIFF,
	TAB_LOG,
	TAB_INFO,
	TAB_TURNS,
	TAB_COUNT,
};

struct tabs *tabs_create(struct tui *t);
void tabs_destroy(struct tabs *tabs); /* NULL does nothing */

/* Chooses the session that is shown, NULL: none. Call it after every change of
 * the selection or of the session; does nothing if nothing changed. */
void tabs_select(struct tabs *tabs, const struct session *s);

enum tab tabs_shown(const struct tabs *tabs);
/* If act is a key for another tab, shows that and returns true. */
bool tabs_key(struct tabs *tabs, enum act act);

/* Shows the screen's history in its place, or the live screen again. */
void tabs_show_history(struct tabs *tabs, bool back);

/* Call it when the user's keys begin to move in the tab, and when they no
 * longer do: a tab of rows then has a chosen one. */
void tabs_take_keys(struct tabs *tabs, bool take);

/* Returns the text that is shown; NULL: it is the live screen. */
struct scroll *tabs_scroll(struct tabs *tabs);

/* Returns the diff that is shown, with the comments on it; NULL: none is. */
const char *tabs_diff(const struct tabs *tabs);

/* Draws the tabs' names, the current one in brackets, at the right end of r's
 * first row; if cols are too few for all, only the current one. Returns the
 * columns used. */
int tabs_draw_names(struct tabs *tabs, const struct rect *r, int cols);
/* Returns the key for the tab whose name was drawn there, or ACT_NONE. */
enum act tabs_at(const struct tabs *tabs, int row, int col);
/* Draws the text; returns false if the live screen must be drawn. */
bool tabs_draw(struct tabs *tabs, const struct rect *r);

#endif
