/*
 * remote.h - the screen of the selected session, if that is on another machine:
 * read by `afw -H HOST capture`, again when the session's row changes.
 */
#ifndef AFW_TUI_PREVIEW_REMOTE_H
#define AFW_TUI_PREVIEW_REMOTE_H

#include "session/session.h"
#include "tui/preview/capture.h"

struct remote;
struct tui;

struct remote *remote_create(struct tui *t);
void remote_destroy(struct remote *r); /* NULL does nothing */

/* Chooses the session to show; NULL or one of this machine: none. Never
 * blocks. */
void remote_select(struct remote *r, const struct session *s);
/* Call it when the row of a session has changed. */
void remote_changed(struct remote *r, const char *id);

/* As those of feed.h. */
const struct capture *remote_capture(const struct remote *r);
bool remote_is_live(const struct remote *r);
const char *remote_message(const struct remote *r);

#endif
