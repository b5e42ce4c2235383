/*
 * recording.h - a recorded terminal in one file: what `afw logs --record`
 * writes, and the corpus in tests/ is made of.
 *
 * asciicast v2: a header line, then events [seconds, kind, data]. Kinds: 'o'
 * output, 'r' a resize ("80x24"), 'm' a marker, 'e' one of afw's own, whose
 * data is a JSON object (afw-adapters(5)). All that is in it comes from
 * somewhere else and is checked; what a kind says that is not known is kept
 * and left to the caller.
 */
#ifndef AFW_SUPERVISOR_MONITOR_RECORDING_H
#define AFW_SUPERVISOR_MONITOR_RECORDING_H

#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "base/err.h"

#define RECORDING_MAX_BYTES ((size_t)64 * 1024 * 1024)

struct recording_event {
	int64_t t_ms; /* since the beginning; never goes back */
	char kind;
	char *data; /* a NUL behind it, none inside */
	size_t len;
	cJSON *object; /* kind 'e': what data says; else NULL */
};

/* A zeroed one is empty; recording_finish() frees. */
struct recording {
	char *harness; /* as in `afw new -a`; NULL where it does not say */
	int cols, rows;
	struct recording_event *v;
	size_t n;
};

/* Reads a file whole. Where it cannot be understood the error names the
 * line. */
int recording_load(struct recording *r, const char *path, struct err *err);
void recording_finish(struct recording *r);

#endif
