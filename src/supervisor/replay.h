/*
 * replay.h - a recording through the senses, by its own clock: what would the
 * session have said, and when; and how that compares with the truth, where
 * the recording has it (markers "activity=…", "activity=" where it is not
 * known).
 *
 * Nothing here waits; ten minutes of a terminal take some milliseconds.
 */
#ifndef AFW_SUPERVISOR_REPLAY_H
#define AFW_SUPERVISOR_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "session/recording.h"

enum replay_by {
	REPLAY_ALL,    /* all that the supervisor goes by */
	REPLAY_SCREEN, /* the screen (and the process) alone */
	REPLAY_SIMPLE, /* what simple tools do: replay_simple.c */
};

/* From t_ms on it says this. */
struct replay_change {
	int64_t t_ms;
	enum activity activity;
	enum source source;
	char detail[READING_TEXT];
};

struct replay_line {
	struct replay_change *v;
	size_t n;
};
void replay_line_finish(struct replay_line *l); /* a zeroed one is fine */
/* t_ms never goes back. Leaves out what says the same as the last one. */
void replay_line_add(struct replay_line *l, const struct replay_change *c);

/* What is said over time; out is to be finished. rules may be NULL. */
void replay_say(const struct recording *r, const struct adapter *adapter,
		const struct rules *rules, enum replay_by by,
		struct replay_line *out);
void replay_simple(const struct recording *r, struct replay_line *out);

/* What is true over time. -1 where a marker names no activity. */
int replay_truth(const struct recording *r, struct replay_line *out,
		 struct err *err);

/* Where truth and word are compared; add several up. */
struct replay_score {
	int64_t known_ms, right_ms;
	/* Delays from change to report, one for each change. One that was
	 * never reported counts as long as it was true. */
	struct replay_delays {
		int64_t *v;
		size_t n;
	} waiting, working;
	int64_t false_waiting_ms; /* longest "waiting" while it worked */
	int64_t false_waiting_at;
};
void replay_score_finish(struct replay_score *s);

/*
 * Thinking counts as working. For REPLAY_SIMPLE, which cannot know it,
 * completed counts as idle.
 */
void replay_score_add(struct replay_score *s, const struct recording *r,
		      const struct replay_line *truth,
		      const struct replay_line *said, enum replay_by by);
void replay_score_merge(struct replay_score *to, const struct replay_score *s);
int64_t replay_median(struct replay_delays *d); /* sorts; -1: there is none */
int64_t replay_worst(const struct replay_delays *d); /* -1: there is none */

/*
 * afw-supervisor replay [--json] [--summary] [--by all|screen|simple]
 * [--aim SHARE] FILE…: what `afw adapters test` runs. The standard input is
 * an object of harnesses' rules, {"claude": {"busy": […], …}, …}. Returns
 * the exit code: 1 where the truth is known and the aims are missed.
 */
int replay_run(int argc, char **argv);

#endif
