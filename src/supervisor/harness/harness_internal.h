/* harness_internal.h - what harness*.c share: the terminal's callbacks. */
#ifndef AFW_SUPERVISOR_HARNESS_HARNESS_INTERNAL_H
#define AFW_SUPERVISOR_HARNESS_HARNESS_INTERNAL_H

#include "base/tree.h"
#include "supervisor/supervisor.h"
#include "terminal/terminal.h"

struct harness {
	struct terminal *pending; /* the terminal while it is held */
	int release_fd;		  /* sandbox.h, holds; else -1 */
	char *record_dir;	  /* launch.record_dir */
	bool by_token;		  /* auth.by_token */
};

/* Processes below the supervisor that are not the harness's: the supervisor's
 * own, the backend's and the sandbox's. */
struct harness_others {
	pid_t spared[CHILDREN_MAX + SERVICES_MAX + HANDED_MAX + 1];
	pid_t helpers[TERMINAL_HELPERS + 2];
	struct tree_except except;
};

/* Fills o with them and returns its list, which is valid as long as o. kill:
 * the list is for a SIGKILL. */
const struct tree_except *harness_others(struct supervisor *sv, bool kill,
					 struct harness_others *o);

/* Returns its terminal, whether it is running or still held; or NULL. */
struct terminal *harness_terminal(const struct supervisor *sv);

/* ctx is the struct supervisor. */
/* The backend has finished a call: bytes were taken, or the size was set. */
void harness_on_room(void *ctx);
void harness_on_failed(void *ctx, const char *why, bool typed, bool maybe);
void harness_on_typed(void *ctx, int64_t ms_ago);
void harness_on_exited(void *ctx, int wait_status);
void harness_on_alone(void *ctx);
void harness_on_lost(void *ctx, const char *why);

/* harness_report.c: stores why it ended, in words; publishes its end; reports
 * that it ended before its sandbox let it start, whose error its output is. */
void harness_end_words(struct supervisor *sv, char *out, size_t size);
void harness_publish_end(struct supervisor *sv, const char *words);
void harness_report_unstarted(struct supervisor *sv);

/* Begins to watch the terminal. */
void harness_watch_terminal(struct supervisor *sv);
/* Reads what is left, at most max bytes of each output. */
void harness_drain(struct supervisor *sv, size_t max);
/* The terminal prints nothing more: stops watching it and keeps the screen. */
void harness_terminal_ended(struct supervisor *sv);

#endif
