/*
 * output.h - writes JSON lines to the caller, and checks whether to continue.
 *
 * One request is one struct output. It is used from one thread.
 */
#ifndef AFW_WORKTREES_OUTPUT_H
#define AFW_WORKTREES_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/json.h"

struct output {
	int fd;
	bool gone;	       /* the caller closed its end */
	bool answered;	       /* the last line was written */
	int64_t last_progress; /* clock_mono_ms() of the last such line */
};

/* Writes o as a line. -1 if the caller closed its end. Blocks while it reads
 * slowly. */
int output_line(struct output *out, const cJSON *o);

/* Writes the answer, with "ok":true. -1 if the caller closed its end. */
int output_answer(struct output *out, cJSON *answer);

/*
 * Waits for the newline by which the caller confirms the line that was written
 * last, with "confirm". timeout_ms 0: as long as a person takes; that does not
 * count as the request's time. Returns 1; 0: no, with errno (ETIMEDOUT: not in
 * time); -1 with err: stopped. A descriptor that comes with the newline stays
 * open until this process ends.
 */
int output_confirmed(struct output *out, int64_t timeout_ms, struct err *err);

/* Writes {"progress":what,"done":..,"total":..}, at most ten times a second. */
void output_progress(struct output *out, const char *what, int64_t done,
		     int64_t total);

/* Writes text as {key: text} lines of at most 64 KiB each; bytes that are not
 * UTF-8 become '?'. */
int output_text(struct output *out, const char *key, const char *text,
		size_t len);

/* Makes SIGINT, SIGTERM, SIGHUP and SIGALRM only make output_check() fail from
 * now on. */
void output_catch_signals(void);

/*
 * Fails, with the reason in err, if a signal came, the caller has closed its
 * end, or limits_check() fails. Cheap; called between steps that can be rolled
 * back.
 */
int output_check(struct output *out, struct err *err);

#endif
