/*
 * notify.h - tells the user what a session has come to: it counts in
 * state.json (the dashboard's bell goes by that), and runs notify-send and
 * the user's own command, as configured.
 */
#ifndef AFW_SUPERVISOR_CHORES_NOTIFY_H
#define AFW_SUPERVISOR_CHORES_NOTIFY_H

#include "base/buf.h"
#include "supervisor/supervisor.h"

/* "notify" of the request start (afw-protocol(7)); NULL: nothing is run. */
void notify_configure(struct notifier *n, const cJSON *o);

/* Text for notify-send's BODY: printable, Pango markup and backslashes
 * escaped, so that it shows as it is. Appended. */
void notify_body(const char *text, struct buf *out);

#endif
