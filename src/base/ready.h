/*
 * ready.h - a condition for when a program is ready to be used, as a user
 * writes it: tcp:PORT, http:URL (of this machine), delay:DURATION, log:TEXT.
 */
#ifndef AFW_BASE_READY_H
#define AFW_BASE_READY_H

#include <stdint.h>

#define READY_LOG_MAX 201

struct ready {
	enum ready_how {
		READY_AT_ONCE, /* it is running: an empty text */
		READY_TCP,     /* it listens on port */
		READY_HTTP,    /* it answers GET what with 2xx or 3xx */
		READY_DELAY,   /* it has run for delay_ms */
		READY_LOG,     /* it has printed the text what */
	} how;
	int port;
	int64_t delay_ms;
	const char *what; /* within the text */
};

/* Parses text. Returns what is wrong with it, or NULL. */
const char *ready_parse(const char *text, struct ready *out);

#endif
