/*
 * feed.h - the selected session's screen, live.
 *
 * Speaks afw-protocol(7) without ever blocking: a supervisor that is
 * stopped, slow or gone costs the preview, not the dashboard. Of a session
 * that does not run it has the last screen, from screen.json.
 */
#ifndef AFW_TUI_PREVIEW_FEED_H
#define AFW_TUI_PREVIEW_FEED_H

#include "base/loop.h"
#include "session/session.h"
#include "tui/preview/capture.h"

struct feed;

/* changed is called when there is something new to draw. */
struct feed *feed_create(struct loop *loop, loop_fn changed, void *ctx);
void feed_destroy(struct feed *f);

/*
 * Which session to show; NULL: none. To be called after every change of the
 * selection or of the session's state: does nothing where nothing changed.
 * Connects a moment later, so that running through the list costs nothing.
 */
void feed_select(struct feed *f, const struct session *s);

/* NULL while there is none. Borrowed until the loop runs again. */
const struct capture *feed_capture(const struct feed *f);
bool feed_is_live(const struct feed *f);

/* Presses a key (as afw send --keys names it) in the session that is shown;
 * false: not taken. What its supervisor says against it, feed_says() says. */
bool feed_press(struct feed *f, const char *key);

/* Why there is no (live) picture, or "". */
const char *feed_says(const struct feed *f);

#endif
