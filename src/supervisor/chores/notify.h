/*
 * notify.h - notifies the user of a session's new state: counts the notice in
 * state.json (the dashboard's bell uses that), and runs notify-send and the
 * user's own command, as configured.
 */
#ifndef AFW_SUPERVISOR_CHORES_NOTIFY_H
#define AFW_SUPERVISOR_CHORES_NOTIFY_H

#include "base/buf.h"
#include "supervisor/supervisor.h"

/* Configures it with "notify" of the request start (afw-protocol(7)); NULL:
 * runs nothing. */
void notify_configure(struct notifier *n, const cJSON *o);

/* Appends text for notify-send's BODY: printable, with Pango markup and
 * backslashes escaped, so that it is shown unchanged. */
void notify_body(const char *text, struct buf *out);

#endif
