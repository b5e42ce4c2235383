/*
 * activity_internal.h - struct activity_fuser, which weighs the signals; all of
 * its waiting times; what activity*.c share.
 */
#ifndef AFW_ACTIVITY_ACTIVITY_INTERNAL_H
#define AFW_ACTIVITY_ACTIVITY_INTERNAL_H

#include "activity/activity.h"

#define ACTIVITY_HOOK_DOUBT_MS	    1500 /* a contradicted hook */
#define ACTIVITY_WAITING_DOUBT_MS   700	 /* the same, where it says waiting */
#define ACTIVITY_ASKED_DOUBT_MS	    10000 /* by nothing newer than its question */
#define ACTIVITY_STATUS_DOUBT_MS    4000 /* a contradicted OSC 7501 */
#define ACTIVITY_INTERRUPT_DOUBT_MS 3000 /* a hook from before an interrupt */
#define ACTIVITY_END_MS		    1500 /* a hook's end against OSC 7501 */
#define ACTIVITY_ASK_MS		    900	 /* a hook's question against it */
#define ACTIVITY_ASKED_MS	    3000 /* a hook's question, till it is sure */
#define ACTIVITY_SHOWN_MS	    700 /* the same, when it is on the screen */
#define ACTIVITY_REST_MS	    300 /* idle is reported so late */
/* A composer may flicker: many an agent draws it again in two writes. */
#define ACTIVITY_COVERED_MS 100
/* The same after the last output, if the screen may be half drawn: on a busy
 * machine an agent can pause that long. */
#define ACTIVITY_HALF_DRAWN_MS 2000
/* The same after Enter, which may begin a turn. */
#define ACTIVITY_ENTERED_MS 300
/* Messages that Claude Code took (--now) begin till then. On a busy machine it
 * shows a rest between its turns. */
#define ACTIVITY_QUEUED_MS	10000
#define ACTIVITY_QUIET_MS	3000 /* the process's rest is idle */
#define ACTIVITY_SAMPLE_MS	1000 /* looks at a busy process */
#define ACTIVITY_IDLE_SAMPLE_MS 5000 /* looks at an idle one */
#define ACTIVITY_QUICK_TURN_MS	2000 /* a turn without a sign of work */
#define ACTIVITY_SLOTS		SOURCE_PROCESS /* sources that speak */
#define ACTIVITY_WHY		160

/* What matters when two signals are compared. */
enum claim { CLAIM_NONE, CLAIM_BUSY, CLAIM_WAITING, CLAIM_REST };
enum claim activity_claim(enum activity a);

struct slot {
	struct reading r;
	enum claim claim;
	int64_t since; /* it has this claim */
	int64_t seen;  /* it last said so */
};

struct activity_fuser {
	const struct adapter *adapter;
	int64_t ready_ms, stall_ms, born_at;
	struct slot slots[ACTIVITY_SLOTS];
	enum composer composer;
	bool shown;	       /* it was there, empty, since the start */
	bool covered;	       /* it is not there, … */
	int64_t covered_since; /* … since then */
	bool blank;	       /* nor is anything else */
	bool overlay;	       /* a row names what is open in its place */
	bool half_drawn;       /* or it is about to be drawn */
	bool queued;	       /* messages wait in its own queue, as it says */
	bool by_composer;      /* that is all that the screen has to say */

	/* The witness. Times are 0 where it was never so. */
	int64_t output_at, cpu_at, children_at;
	int64_t process_at, cpu_ms; /* the sample that rates count from */
	int children, samples;

	/* The turn. */
	bool worked;	  /* since the last message or interrupt */
	bool failed;	  /* its end was an error */
	bool interrupted; /* its end was an interrupt */
	bool guessed;	  /* … as far as can be told: no end was told */
	bool open;	  /* a hook told its begin, and none its end */
	bool begun;	  /* there may have been one, since the start */
	bool submitted;	  /* afw's message is, and was not accepted yet */
	int64_t interrupted_at, sent_at;
	int64_t input_at;	  /* typed or sent: maybe a message */
	int64_t entered_at;	  /* a person pressed Enter; 0: never */
	int64_t busy_at;	  /* the present work, or the last, began */
	int64_t turn_at;	  /* it began, or its message was sent */
	int64_t opened_at;	  /* it began, as a hook told */
	int64_t question_left_at; /* a question was gone from the screen */
	int64_t error_since;	  /* an error stands on the screen; 0: none */

	/* What was reported. */
	struct verdict last;
	bool was_covered;
	bool resting;	       /* a rest is held back… */
	int64_t resting_since; /* …since then */
};

/* What the signals say together, before anything is held back. */
struct fused {
	enum claim claim;
	enum activity activity;
	enum source source;
	const struct reading *reading; /* NULL: the process's */
	bool question;
	bool stalled;
	bool starting_up;
	bool starting;	 /* its composer was never there */
	bool covered;	 /* a rest, but for what is open */
	int64_t next_ms; /* delay after which time alone changes it; -1 */
	char detail[READING_TEXT];
	char why[ACTIVITY_SLOTS + 1][ACTIVITY_WHY];
};

/* Time changes something after delay, or earlier; next_ms -1: never. */
void activity_sooner(int64_t *next_ms, int64_t delay);

/* Something was typed or sent since this work began: a message may be queued
 * in the harness, and the turn's end be the begin of the next one. */
bool activity_may_be_queued(const struct activity_fuser *a);

/* Hooks tell of every turn. */
bool activity_will_tell(const struct activity_fuser *a);

/* Work by this source's word is a turn's: at a start it may be none. */
bool activity_is_turn(const struct activity_fuser *a, enum source s);

/* What is on the screen is a person's own, not a turn's: all others rest. */
bool activity_rests_below(const struct activity_fuser *a);

/* No turn has begun yet, and they would have told of one. */
bool activity_starting_up(const struct activity_fuser *a);

void activity_fuse(const struct activity_fuser *a, int64_t now,
		   struct fused *f);

/* The last time that output, processor or children moved; 0: never. */
int64_t activity_moved_at(const struct activity_fuser *a);

#endif
