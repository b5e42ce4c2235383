/*
 * feed.h - the selected session's screen, live.
 *
 * Uses afw-protocol(7) without ever blocking: a supervisor that is stopped,
 * slow or has ended affects the preview, not the dashboard. For a session that
 * is not running it has the last screen, from screen.json.
 */
#ifndef AFW_TUI_PREVIEW_FEED_H
#define AFW_TUI_PREVIEW_FEED_H

#include "base/loop.h"
#include "session/session.h"
#include "tui/preview/capture.h"

struct feed;

/* Calls changed when there is something new to draw. */
struct feed *feed_create(struct loop *loop, loop_fn changed, void *ctx);
void feed_destroy(struct feed *f);

/*
 * Chooses the session to show; NULL: none. Call it after every change of the
 * selection or of the session's state; does nothing if nothing changed.
 * Connects after a moment, so that moving through the list costs nothing.
 */
void feed_select(struct feed *f, const struct session *s);

/* Returns the picture, NULL while there is none. Borrowed until the loop runs
 * again. */
const struct capture *feed_capture(const struct feed *f);
bool feed_is_live(const struct feed *f);

/* Presses a key (named as in afw send --keys) in the session that is shown;
 * returns false if it could not be sent. feed_message() has the reason if the
 * supervisor refuses it. */
bool feed_press(struct feed *f, const char *key);

/* Returns why there is no (live) picture, or "". */
const char *feed_message(const struct feed *f);

#endif
