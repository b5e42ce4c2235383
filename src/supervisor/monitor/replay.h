/*
 * replay.h - plays a recording through the observer, by the recording's clock:
 * what would the session have reported, and when? The true activity is printed
 * next to it if the recording has it in markers ("activity=..."; "activity=" if
 * it is unknown).
 *
 * Nothing here waits: ten minutes of a terminal take some milliseconds.
 */
#ifndef AFW_SUPERVISOR_MONITOR_REPLAY_H
#define AFW_SUPERVISOR_MONITOR_REPLAY_H

#include <stdbool.h>

#include "activity/observer.h"
#include "supervisor/monitor/recording.h"

/*
 * Runs `afw adapters test`. json: prints an object for each file, else lines.
 * screen_only: uses only the screen. files ends with NULL. The standard input
 * is an object of harnesses' rules, {"claude": {"busy": […], …}, …}. Returns
 * the exit code.
 */
int replay_run(bool json, bool screen_only, char **files);

/* Called with each verdict; t_ms is since the recording's start. */
typedef void (*replay_seen_fn)(void *ctx, int64_t t_ms, struct observer *o,
			       const struct verdict *v);

/* Plays a recording of a generic harness with these rules, and for some seconds
 * after its end. */
void replay_play(const struct recording *r, const struct rules *rules,
		 replay_seen_fn seen, void *ctx);

/* Reads an object from the standard input, such as the harnesses' rules; to be
 * deleted. NULL with err. */
cJSON *replay_input(struct err *err);

#endif
