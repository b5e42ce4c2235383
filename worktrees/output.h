/*
 * output.h - JSON lines to whoever asked, and whether to go on.
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
	bool gone;	       /* nobody reads it any more */
	bool answered;	       /* the last line is out */
	int64_t last_progress; /* clock_mono_ms() of the last such line */
};

/* Writes o as a line. -1 where the reader is gone. Blocks while it is slow. */
int output_line(struct output *out, const cJSON *o);

/* The answer, with "ok":true. -1 where the reader is gone. */
int output_answer(struct output *out, cJSON *answer);

/* {"progress":what,"done":..,"total":..}, ten times a second at most. */
void output_progress(struct output *out, const char *what, int64_t done,
		     int64_t total);

/* {key: text} lines of at most 64 KiB each; not UTF-8 becomes '?'. */
int output_text(struct output *out, const char *key, const char *text,
		size_t len);

/* SIGINT, SIGTERM, SIGHUP and SIGALRM from now on only make output_go_on()
 * fail. */
void output_catch_signals(void);

/* The signal that came, or 0. Any thread. */
int output_signal(void);

/*
 * Fails (with what happened in words) where a signal came, the reader has
 * closed its end, or limits_check() does. Cheap; called between the steps of
 * anything that undoes.
 */
int output_go_on(struct output *out, struct err *err);

#endif
