/*
 * recording.h - a recorded terminal in one file: `afw logs --record` writes it,
 * and the corpus in tests/ is made of them.
 *
 * asciicast v2: a header line, then events [seconds, kind, data]. Kinds: 'o'
 * output, 'r' a resize ("80x24"), 'm' a marker, 'e' an event of afw, whose data
 * is a JSON object (afw-adapters(5)). The content is not trusted and is
 * checked. Unknown kinds are kept and left to the caller.
 */
#ifndef AFW_SUPERVISOR_MONITOR_RECORDING_H
#define AFW_SUPERVISOR_MONITOR_RECORDING_H

#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "base/err.h"

#define RECORDING_MAX_BYTES ((size_t)64 * 1024 * 1024)

struct recording_event {
	int64_t t_ms; /* since the start; never decreases */
	char kind;
	char *data; /* NUL-terminated, with no NUL inside */
	size_t len;
	cJSON *object; /* kind 'e': the parsed data; else NULL */
};

/* A zeroed one is empty; recording_finish() frees the content. */
struct recording {
	char *harness; /* as in `afw new -a`; NULL if unknown */
	int cols, rows;
	struct recording_event *v;
	size_t n;
};

/* Reads a whole file. If it is invalid, the error names the line. */
int recording_load(struct recording *r, const char *path, struct err *err);
void recording_finish(struct recording *r);

#endif
