/*
 * watch.h - looks at what the harness prints and says what it does: screen,
 * readings, verdict, messages. The glue between the pure parts.
 */
#ifndef AFW_SUPERVISOR_WATCH_H
#define AFW_SUPERVISOR_WATCH_H

#include "supervisor/supervisor.h"

void watch_init(struct supervisor *sv);
void watch_finish(struct supervisor *sv);

/* Bytes from the harness. */
void watch_output(struct supervisor *sv, const char *data, size_t len);

/* A reading by hook. */
void watch_reading(struct supervisor *sv, const struct reading *r);

/* The harness has started, or is gone (reason for what waits). */
void watch_started(struct supervisor *sv);
void watch_ended(struct supervisor *sv, const char *reason);

/* An interrupt key goes to the harness. */
void watch_interrupt(struct supervisor *sv);

/* Asks all signals again; publishes what has changed. */
void watch_verdict(struct supervisor *sv);

#endif
