/*
 * activity_internal.h - struct activity_fuser, which weighs the signals, with
 * all its waiting times and the functions that activity*.c share.
 */
#ifndef AFW_ACTIVITY_ACTIVITY_INTERNAL_H
#define AFW_ACTIVITY_ACTIVITY_INTERNAL_H

#include "activity/activity.h"

#define ACTIVITY_HOOK_DOUBT_MS	    1500  /* a contradicted hook */
#define ACTIVITY_WAITING_DOUBT_MS   700	  /* the same, if it says waiting */
#define ACTIVITY_ASKED_DOUBT_MS	    10000 /* if nothing newer contradicts */
#define ACTIVITY_STATUS_DOUBT_MS    4000  /* a contradicted OSC 7501 */
#define ACTIVITY_INTERRUPT_DOUBT_MS 3000  /* a hook from before an interrupt */
#define ACTIVITY_END_MS		    1500  /* a hook's end before OSC 7501 */
#define ACTIVITY_ASK_MS		    900	  /* a hook's question before it */
#define ACTIVITY_ASKED_MS	    3000  /* a hook's question: may end */
#define ACTIVITY_SHOWN_MS	    700 /* the same, when it is on the screen */
#define ACTIVITY_REST_MS	    300 /* delay before idle is reported */
/* A composer may flicker: many agents redraw it in two writes. */
#define ACTIVITY_COVERED_MS 100
/* The same after the last output, if the screen may be half drawn: on a busy
 * machine an agent can pause that long. */
#define ACTIVITY_HALF_DRAWN_MS 2000
/* The same after Enter, which may begin a turn. */
#define ACTIVITY_ENTERED_MS 300
/* Messages in Claude Code's own queue (--now) begin within this time. On a busy
 * machine it looks idle between its turns. */
#define ACTIVITY_QUEUED_MS	10000
#define ACTIVITY_QUIET_MS	3000 /* a quiet process is idle */
#define ACTIVITY_SAMPLE_MS	1000 /* samples of a busy process */
#define ACTIVITY_IDLE_SAMPLE_MS 5000 /* samples of an idle one */
#define ACTIVITY_QUICK_TURN_MS	2000 /* a turn without a sign of work */
#define ACTIVITY_SLOTS		SOURCE_PROCESS /* sources with a slot */
#define ACTIVITY_WHY		160

/* An activity, as far as two signals are compared. */
enum claim { CLAIM_NONE, CLAIM_BUSY, CLAIM_WAITING, CLAIM_IDLE };
enum claim activity_claim(enum activity a);

struct slot {
	struct reading r;
	enum claim claim;
	int64_t since; /* it has this claim */
	int64_t seen;  /* it last said so */
};

struct activity_fuser {
	const struct adapter *adapter;
	int64_t ready_ms;
	bool shows_errors; /* the rules find them on the screen */
	struct slot slots[ACTIVITY_SLOTS];
	enum composer composer;
	bool shown;	       /* it was shown, empty, since the start */
	bool covered;	       /* it is not shown */
	int64_t covered_since; /* since when covered is as it is */
	bool blank;	       /* the screen shows nothing at all */
	bool overlay;	       /* a row names what is open in its place */
	bool half_drawn;       /* the composer may be about to be drawn */
	bool queued;	  /* its screen says that its own queue has messages */
	bool by_composer; /* only the composer shows that it is idle */

	/* The process. Times are 0: never. */
	int64_t output_at, cpu_at, children_at;
	int64_t process_at, cpu_ms; /* the sample that rates count from */
	int children, samples;

	/* The turn. */
	bool worked; /* work was seen since the last message or interrupt */
	bool failed; /* its end was an error */
	bool interrupted; /* its end was an interrupt */
	bool guessed; /* the interrupt is only inferred: no end was reported */
	bool open;    /* hooks reported its start and not its end */
	bool begun;   /* there may have been a turn since the start */
	bool submitted; /* afw's message is submitted, not accepted yet */
	int64_t interrupted_at, sent_at;
	int64_t input_at;	  /* typed or sent: maybe a message */
	int64_t entered_at;	  /* a person pressed Enter; 0: never */
	int64_t busy_at;	  /* the present work, or the last, began */
	int64_t turn_at;	  /* it began, or its message was sent */
	int64_t opened_at;	  /* a hook reported its start */
	int64_t question_left_at; /* a question was gone from the screen */
	int64_t error_since; /* an error is on the screen since then; 0: none */

	/* What was reported. */
	struct verdict last;
	bool was_covered;
	bool resting;	       /* idle is held back */
	int64_t resting_since; /* since when it is held back */
};

/* The combined signals, before idle is held back. */
struct fused {
	enum claim claim;
	enum activity activity;
	enum source source;
	const struct reading *reading; /* NULL: from the process */
	bool question;
	bool starting_up;
	bool starting; /* its composer was never shown */
	bool covered;  /* idle, except for what is open */
	int64_t
	    next_ms; /* delay after which it changes by time alone; -1: never */
	char detail[READING_TEXT];
	/* ACTIVITY_SLOTS + 1, for activity_explain(); NULL: not wanted */
	char (*why)[ACTIVITY_WHY];
};

static inline int64_t activity_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Lowers *next_ms to delay; -1 in *next_ms means never. */
static inline void activity_sooner(int64_t *next_ms, int64_t delay)
{
	if (delay < 0)
		delay = 0;
	if (*next_ms < 0 || delay < *next_ms)
		*next_ms = delay;
}

/* True if something was typed or sent since this work began: the harness may
 * have queued a message and begin its turn when this one ends. */
bool activity_may_be_queued(const struct activity_fuser *a);

/* True if hooks report every turn. */
bool activity_has_hooks(const struct activity_fuser *a);

/* True if this source's "working" means a turn; at a start it may be setup. */
bool activity_is_turn(const struct activity_fuser *a, enum source s);

/* True if the user opened what is on the screen, as all other signals are
 * idle. */
bool activity_is_idle_below(const struct activity_fuser *a);

/* True if no turn has begun yet, and hooks would have reported one. */
bool activity_starting_up(const struct activity_fuser *a);

/* why: as in struct fused, zeroed. */
void activity_fuse(const struct activity_fuser *a, int64_t now,
		   char (*why)[ACTIVITY_WHY], struct fused *f);

/* Corrects "idle", or no claim, by what the screen shows; false: unchanged. */
bool activity_correct_idle(const struct activity_fuser *a, int64_t now,
			   struct fused *f);

/* Returns the last time of output, processor time or a change of children; 0:
 * never. */
int64_t activity_moved_at(const struct activity_fuser *a);

#endif
