/*
 * observer.h - all that tells what a harness does, in one place: its screen,
 * its title and OSC 7501, the rules, and the fuser that weighs them.
 *
 * No descriptor and no clock: now is monotonic ms and comes from the caller.
 * The supervisor drives it by the loop's timers (monitor.c), a replay by the
 * times of a recording (replay.c); so what a replay says is what a session
 * would have said.
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
	/* As in screen.h, in the middle of the output: the screen is not to be
	 * looked at, and no more output to be read. */
	void (*reply)(void *ctx, const char *data, size_t len);
	void (*pass)(void *ctx, const char *data, size_t len);
	void (*title)(void *ctx, const char *title);
	void (*clipboard)(void *ctx, const char *text, size_t len);
	/* A reading of the title or of OSC 7501: the fuser has it already.
	 * The screen has all of the output by then, and more may be read. */
	void (*heard)(void *ctx, const struct reading *r);
};

/* Heard in the output that is being read, and not told yet. */
struct observer_heard {
	struct reading *list;
	size_t n;
	bool telling;
};

struct observer {
	const struct adapter *adapter; /* borrowed */
	const struct rules *rules;     /* borrowed; may be NULL */
	struct observer_events events;
	struct activity_fuser *activity;
	struct screen *screen; /* NULL until observer_open() */
	struct screen_text *text;
	/* When observer_look() and observer_verdict() are due; -1: not now. */
	int64_t look_at, verdict_at;
	struct look look;	  /* the last one */
	struct approval approval; /* that it found, … */
	bool approval_up;	  /* … where it did */
	struct observer_heard heard;
	int64_t looked_at;  /* the last time */
	int64_t look_every; /* ms between two that say the same */
	int64_t output_at;  /* of the output that is read, or was the last */
	int64_t update_at;  /* a synchronized update began; 0: there is none */
	uint64_t updates;   /* so many had begun by then */
	int64_t put_off_at; /* a look was due and not made since; 0: none */
	char turn[READING_TURN]; /* the last that a hook has told of */
	bool screen_only; /* no title, OSC 7501 or events: for a replay */
};

/* stall_after_ms as in activity_create(). */
void observer_init(struct observer *s, const struct adapter *adapter,
		   const struct rules *rules, int64_t stall_after_ms);
void observer_finish(struct observer *s); /* a zeroed one is fine */

/* The harness has a terminal of this size. events is copied. */
void observer_open(struct observer *s, int cols, int rows, int scrollback,
		   const struct observer_events *events);

/* It printed this. Sets look_at, where none is due as soon. */
void observer_output(struct observer *s, const char *data, size_t len,
		     int64_t now);

/*
 * An event that the harness told (a hook). False: it says
 * nothing; else *r has what it says, and the fuser has it too. payload may be
 * NULL.
 */
bool observer_event(struct observer *s, const char *event, const cJSON *payload,
		    struct reading *r, int64_t now);

/* A person typed into it; interrupt: a key that may have ended the turn. */
void observer_typed(struct observer *s, bool interrupt, int64_t now);

/* What changes next is looked at without delay: something was typed. */
void observer_look_soon(struct observer *s);

/* Looks have said the same for a while, and are as seldom as they get; and no
 * synchronized update is under way, whose end is to be read. */
bool observer_is_steady(const struct observer *s);

/* The screen as it is now. */
void observer_view(struct observer *s, struct screen_view *out);

/*
 * Whether the screen is a whole picture: not in a synchronized update (mode
 * 2026). One that goes on for OBSERVER_UPDATE_MS counts as whole: some harness
 * may forget to end it; terminals do not wait for longer, either.
 */
#define OBSERVER_UPDATE_MS 150
bool observer_is_whole(const struct observer *s, int64_t now);

/* Looks at the screen; the look that was due is over. Where the picture is not
 * whole, and shows no new question, the last look stays, for 500 ms at most,
 * and look_at says when to look again. */
void observer_look(struct observer *s, int64_t now);

/* What the harness does; sets verdict_at. Cheap. */
void observer_verdict(struct observer *s, int64_t now, struct verdict *v);

#endif
