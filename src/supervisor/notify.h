/*
 * notify.h - tells the user what a session has come to: it counts in
 * state.json (the dashboard's bell goes by that), and runs notify-send and
 * the user's own command, as configured.
 */
#ifndef AFW_SUPERVISOR_NOTIFY_H
#define AFW_SUPERVISOR_NOTIFY_H

#include "base/buf.h"
#include "supervisor/notify_run.h"
#include "supervisor/supervisor.h"

#define NOTIFY_PIDS NOTIFY_RUN_MAX

struct notifier *notify_create(struct supervisor *sv);
void notify_destroy(struct notifier *n); /* waits: notify_run_destroy() */

/* "notify" of the request start (afw-protocol(7)); NULL: nothing is run. */
void notify_configure(struct notifier *n, const cJSON *o);

/* The verdict may be another, or time has passed. */
void notify_look(struct supervisor *sv);

/* The user typed, or a message went in. */
void notify_acted(struct supervisor *sv);

/* The harness is gone and should not be, and the state says so; that it was
 * told is the caller's to publish. */
void notify_failed(struct supervisor *sv, const char *reason);

/* Its children, for who looks after all. NULL has none. */
bool notify_reaped(struct notifier *n, pid_t pid, int wait_status);
size_t notify_pids(const struct notifier *n, pid_t out[NOTIFY_PIDS]);

/* Text for notify-send's BODY: printable, Pango markup and backslashes
 * escaped, so that it shows as it is. Appended. */
void notify_body(const char *text, struct buf *out);

#endif
