/*
 * observer.h - holds everything that shows what a harness does: its screen, its
 * title and OSC 7501, the rules, and the fuser that weighs them.
 *
 * No descriptor and no clock: now is monotonic ms and comes from the caller.
 * The supervisor drives it by the loop's timers (monitor.c), a replay by the
 * times of a recording (replay.c); so a replay gives the verdicts that the
 * session gave.
 */
#ifndef AFW_ACTIVITY_OBSERVER_H
#define AFW_ACTIVITY_OBSERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "activity/activity.h"
#include "adapters/adapter.h"
#include "adapters/screen/approval.h"
#include "screen/screen.h"

struct screen_text; /* the screen as adapters see it: screen_text.h */

/* Any may be NULL. Called from observer_output(). */
struct observer_events {
	void *ctx;
	/* As in screen.h, in the middle of the output: do not read the screen
	 * or more output here. */
	void (*reply)(void *ctx, const char *data, size_t len);
	void (*pass)(void *ctx, const char *data, size_t len);
	void (*title)(void *ctx, const char *title);
	void (*clipboard)(void *ctx, const char *text, size_t len);
	/* A reading of the title or of OSC 7501, which the fuser has already.
	 * The screen has all of the output by then, and more may be read. */
	void (*reading)(void *ctx, const struct reading *r);
};

/* Readings of the output that is being read, not passed on yet. */
struct observer_readings {
	struct reading *list;
	size_t n;
	bool flushing;
};

struct observer {
	const struct adapter *adapter; /* borrowed */
	const struct rules *rules;     /* borrowed; may be NULL */
	struct observer_events events;
	struct activity_fuser *activity;
	struct screen *screen; /* NULL until observer_open() */
	struct screen_text *text;
	/* When observer_read_screen() and observer_verdict() are due; -1: not
	 * now. */
	int64_t read_at, verdict_at;
	struct screen_state shown; /* the last one */
	struct approval approval;  /* found on the screen, … */
	bool approval_up;	   /* … if this is true */
	struct observer_readings readings;
	int64_t last_read_at;  /* the last time */
	int64_t read_every_ms; /* ms between two readings that say the same */
	int64_t output_at;     /* of the output that is read, or was the last */
	int64_t update_at;  /* a synchronized update began; 0: there is none */
	uint64_t updates;   /* that had begun by then */
	int64_t put_off_at; /* a reading was due and not made since; 0: none */
	char turn[READING_TURN]; /* the last turn that a hook reported */
	char conversation[READING_TEXT]; /* the main one, by hooks */
	bool has_side;			 /* one beside it has begun, too */
	bool screen_only; /* no title, OSC 7501 or events: for a replay */
};

void observer_init(struct observer *s, const struct adapter *adapter,
		   const struct rules *rules);
void observer_finish(struct observer *s); /* may be zeroed */

/* Creates the screen of the harness's terminal. events is copied. */
void observer_open(struct observer *s, int cols, int rows, int scrollback,
		   const struct observer_events *events);

/* Feeds what the harness printed to the screen and lowers read_at. */
void observer_output(struct observer *s, const char *data, size_t len,
		     int64_t now);

/*
 * Reads a hook's event. Returns true if it says something: *r is the reading,
 * which the fuser has too. payload may be NULL.
 */
bool observer_event(struct observer *s, const char *event, const cJSON *payload,
		    struct reading *r, int64_t now);

/* Records that a person typed; interrupt: a key that may have ended the
 * turn. */
void observer_typed(struct observer *s, bool interrupt, int64_t now);

/* Makes the next change be read without delay: something was typed. */
void observer_read_soon(struct observer *s);

/* True if readings have said the same for a while and are at their longest
 * interval, and no synchronized update is running. */
bool observer_is_steady(const struct observer *s);

/* Stores the present screen in *out, borrowed until the next output. */
void observer_view(struct observer *s, struct screen_view *out);

/*
 * True if the screen is a whole picture: not in a synchronized update (mode
 * 2026). An update is ignored after OBSERVER_UPDATE_MS, as in terminals: a
 * harness may forget to end it.
 */
#define OBSERVER_UPDATE_MS 150
bool observer_is_whole(const struct observer *s, int64_t now);

/* Reads the screen. If the picture is not whole, and shows no new question, the
 * last reading stays, for 500 ms at most, and read_at is when to try again.
 * Else read_at is -1. */
void observer_read_screen(struct observer *s, int64_t now);

/* Stores what the harness does in *v; sets verdict_at. Cheap. */
void observer_verdict(struct observer *s, int64_t now, struct verdict *v);

#endif
