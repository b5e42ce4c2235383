/*
 * activity.h - what a harness does now, from many signals (DESIGN,
 * "Activity").
 *
 * Pure: no I/O and no clock; now is monotonic ms and never goes back. Each
 * source has a slot with its last word. The rules, best first:
 *
 *  1. A question (approval, dialog) on the screen overrides everything.
 *  2. Else the best ranked source with an opinion leads: OSC 7501, hooks,
 *     title, screen.
 *  3. Hooks go stale: where the title or the screen contradicts the leader
 *     for longer than 1.5 s (0.7 s where a hook says "waiting", 10 s where
 *     that is newer than the title and no menu has come yet), it wins (10 s
 *     for a screen that has not changed since the turn began); OSC
 *     7501 is believed for 4 s. The screen does not win where the title
 *     says anything. What a
 *     hook asked is over when its question has left the screen, what it said
 *     before an interrupt 3 s after that; and a hook
 *     that asks outranks an older "working" of OSC 7501 for 0.9 s (10 s while
 *     nothing is printed), one that tells of the turn's end for 1.5 s, unless
 *     a message may be queued. While a better signal than the screen (or the
 *     screen, without one) still shows work after that end, other hooks may
 *     run (hooks_running), which who acts on the rest waits for.
 *     A rest is none while messages wait in the harness's own queue (for 10 s
 *     at most). It is "waiting" if the user has had something open (a picker,
 *     a pager) in the composer's place for 0.1 s. A screen without a composer
 *     may also be half drawn: it needs 2 s without output if nothing shows
 *     that it is complete, and 0.3 s after Enter; and nothing is open while
 *     afw's own message is submitted but not accepted.
 *  4. Where nobody has an opinion, and the adapter has no hooks, the
 *     process is asked: output, processor time or a change of
 *     its children in the last seconds is "working"; nothing of these for
 *     3 s is "idle". Silence alone (without a look at the process) decides
 *     nothing.
 *
 * Working and waiting are reported at once, idle and completed only after
 * they have held for 300 ms: what is seen may be the gap between two tool
 * calls, and a queued message may follow. Not held back is what can be
 * neither: the end that a harness tells in so many words while nothing can
 * be queued, the rest after an interrupt, and at a start the first sight of
 * an empty composer. "completed" is a rest after work that was not
 * interrupted; it stays until the next message or sign of work.
 *
 * A harness that has a composer is starting (ACTIVITY_NONE) until it shows it;
 * if that takes longer than ready_timeout, or its screen is blank for so long
 * while it rests, it is waiting for somebody to look.
 *
 * Until a turn has begun, a harness whose hooks would tell of one is
 * idle when its composer is there and empty: by OSC 7501 and title Codex also
 * "works" while it sets itself up.
 *
 * A new reason to take an agent for waiting begins in one of three places:
 *
 *   its screen, title, hook or OSC 7501 says so   its adapter, or the patterns
 *                                                 of share/adapters/NAME.ini
 *   something is in the composer's place          is_covered(), activity_fuse.c
 *   no signal shows it, the supervisor knows it   the hook refine of a part
 *                                                 (supervisor/part.h), as in
 *                                                 door/bridge.c, sender/post.c
 *
 * A part that refines calls monitor_ask_verdict() when what it knows changes,
 * and gives `afw status` its reason in on_status() of supervisor/request.c.
 */
#ifndef AFW_ACTIVITY_ACTIVITY_H
#define AFW_ACTIVITY_ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "adapters/adapter.h"
#include "session/phase.h"

struct activity_fuser; /* "enum activity" has the short name */

struct verdict {
	enum activity activity;
	enum source source;	   /* whose word it is */
	char detail[READING_TEXT]; /* printable; "" where there is none */
	bool question;	  /* an approval or a dialog is up: Enter answers it */
	bool failed;	  /* the last turn ended in an error of the harness */
	bool stalled;	  /* it should do something, but nothing moves */
	bool starting_up; /* idle, but still busy with its own start */
	bool hooks_running; /* completed, but hooks of the end may still run */
	bool hook_may_answer; /* waiting, but a hook may answer: for 3 s, or 0.7
			 s where it is on the screen */
	int64_t since;	      /* monotonic ms: since when it is this activity */
	int64_t next_ms; /* ask again after so long although nothing arrives
			    (with a new activity_process() where that is
			    at hand); -1: no need */
};

/* adapter is borrowed for as long as the result lives; rules (may be NULL) are
 * not. Busy, or without any word since the start, for stall_after_ms without
 * output, processor time or a change of children is "stalled"; 0: never. */
struct activity_fuser *activity_create(const struct adapter *adapter,
				       const struct rules *rules,
				       int64_t stall_after_ms);
void activity_destroy(struct activity_fuser *a); /* NULL does nothing */

/*
 * A reading of OSC 7501, of a hook or of the title. With ACTIVITY_NONE the
 * first and the last withdraw what they said (call it so for a title when
 * adapter_title_says() returns false); a hook then leaves what hooks said,
 * and only turn_started, turn_ended and failed count.
 */
void activity_reading(struct activity_fuser *a, const struct reading *r,
		      int64_t now);

/* True until a harness that has a composer shows it, or a turn begins; at most
 * for the time that a start may take. */
bool activity_is_starting(const struct activity_fuser *a, int64_t now);

/* What the screen says now; whenever it has changed. */
void activity_look(struct activity_fuser *a, const struct look *l, int64_t now);

/* The harness printed something. */
void activity_output(struct activity_fuser *a, int64_t now);

/* The witness: processor time of the whole tree so far, and how many
 * processes there are. */
void activity_process(struct activity_fuser *a, int64_t cpu_ms, int children,
		      int64_t now);

/* An interrupt key was sent: the hooks' "working" is doubtful from now on,
 * and the rest that follows is "idle", not "completed". Where the title or
 * the screen goes on to show work for 3 s it was none. */
void activity_interrupted(struct activity_fuser *a, int64_t now);
/* It was not sent, after all. */
void activity_not_interrupted(struct activity_fuser *a);

/* Whether it rests with its composer shown, and because of that key, or as
 * its screen says; not where an interrupt is only guessed. */
bool activity_rests_interrupted(const struct activity_fuser *a);

/* A person typed into the harness, and no interrupt key: a turn may come of
 * it, or a message that is queued. */
void activity_typed(struct activity_fuser *a, int64_t now);

/* The keys that a person typed had Enter among them. */
void activity_entered(struct activity_fuser *a, int64_t now);

/* A message was submitted (receipt SUBMITTED): "completed" is over. */
void activity_sent(struct activity_fuser *a, int64_t now);
/* The message has its last receipt. Until then, or until work is seen, the
 * harness has not drawn what follows from the message. */
void activity_settled(struct activity_fuser *a);

/*
 * The verdict now. Moves the time-dependent part on, so call it after each
 * of the above and after next_ms. Cheap.
 */
void activity_verdict(struct activity_fuser *a, int64_t now, struct verdict *v);

/*
 * For `afw status`: sets "signals" (a list of {source, activity, detail,
 * question, age_ms, believed, why}; the process has output_age_ms,
 * cpu_age_ms, children too) and "explanation" (one sentence) in out.
 * Changes nothing.
 */
void activity_explain(const struct activity_fuser *a, int64_t now, cJSON *out);

#endif
