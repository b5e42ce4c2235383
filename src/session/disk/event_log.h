/*
 * event_log.h - events.jsonl: a session's history, one JSON object per line.
 *
 * There is no table of events. A new one begins where the thing happens: that
 * part of the supervisor calls publish_event(), a command that holds the
 * session's lock calls events_append(). describe() in commands/events.c puts it
 * into words; without that its name, reason and detail are printed.
 * afw-events(1) lists all (a test compares them), afw-protocol(7) those that a
 * supervisor sends.
 */
#ifndef AFW_SESSION_DISK_EVENT_LOG_H
#define AFW_SESSION_DISK_EVENT_LOG_H

#include <cjson/cJSON.h>

#include "base/err.h"

#define EVENTS_FILE	"events.jsonl"	  /* follow.h reads it */
#define EVENTS_FILE_MAX (4 * 1024 * 1024) /* then it becomes events.jsonl.1 */

/*
 * Appends {"at": now, "event": name, ...members of more} in one write. Takes
 * more (may be NULL) and deletes it. -1: nothing of it is written. Only the
 * lock's holder calls this.
 */
int events_append(const char *session_dir, const char *name, cJSON *more,
		  struct err *err);

#endif
