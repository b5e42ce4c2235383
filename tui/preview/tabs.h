/*
 * tabs.h - what can stand in the preview's place: the selected session's
 * screen, what it has changed, what happened, what is known of it.
 *
 * The screen is the feed's, live; all else is text that a child of ours (afw
 * diff, events, status, logs) has printed. One text is kept, of the session
 * and tab that are shown; it is read again when the session's files say that
 * it would be another. Never blocks.
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
	TAB_COUNT,
};

struct tabs *tabs_create(struct tui *t);
void tabs_destroy(struct tabs *tabs); /* NULL does nothing */

/*
 * The session that is shown, NULL: none. To be called after every change of
 * the selection or of the session: does nothing where nothing changed.
 */
void tabs_select(struct tabs *tabs, const struct session *s);

enum tab tabs_shown(const struct tabs *tabs);
/* True where act is a key for another tab, which is shown then. */
bool tabs_key(struct tabs *tabs, enum act act);

/* Whether in the screen's place stands what it showed before. */
void tabs_look_back(struct tabs *tabs, bool back);

/* The text in the screen's place, NULL: it is the live screen. */
struct scroll *tabs_scroll(struct tabs *tabs);

/* The tabs' names, the shown one in brackets, at the right end of r's first
 * row; where cols does not hold all, the shown one. Returns the columns. */
int tabs_draw_names(struct tabs *tabs, const struct rect *r, int cols);
/* The key for the tab whose name was drawn there, or ACT_NONE. */
enum act tabs_at(const struct tabs *tabs, int row, int col);
/* The text; false where the live screen is to be drawn. */
bool tabs_draw(struct tabs *tabs, const struct rect *r);

#endif
