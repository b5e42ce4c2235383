/*
 * activity.h - what a harness does now, from many signals.
 *
 * Pure: no I/O and no clock; now is monotonic ms and never goes back. Each
 * source has a slot with its last reading. The rules, best first:
 *
 *  1. A question (approval, dialog) on the screen overrides everything.
 *  2. Else the best ranked source with an opinion leads: OSC 7501, hooks,
 *     title, screen.
 *  3. Hooks go stale: a title or screen that contradicts the leader for longer
 *     than 1.5 s wins (0.7 s if a hook says "waiting"; 10 s if that is newer
 *     than the title and no menu is shown yet, or if the screen has not changed
 *     since the turn began; 4 s against OSC 7501). The screen does not win
 *     while the title says anything. A hook's question is over when it has left
 *     the screen; a hook's "working" from before an interrupt ends 3 s after
 *     the interrupt. A hook that asks outranks an older "working" of OSC 7501
 *     for 0.9 s (10 s while nothing is printed), a hook that reports the turn's
 *     end for 1.5 s, unless a message may be queued. If a better signal than
 *     the screen (or the screen, without one) still shows work after that end,
 *     other hooks may be running (hooks_running); a part that acts on idle
 *     waits for them.
 *  4. If no source has an opinion, and the adapter has no hooks, the process
 *     decides: output, processor time or a change of its children in the last
 *     seconds is "working"; none of these for 3 s is "idle". Silence alone
 *     (without a sample of the process) decides nothing.
 *
 * Idle becomes "working" while the harness's own queue has messages (for 10 s
 * at most), and "waiting" if the user has had something open (a picker, a
 * pager) in the composer's place for 0.1 s. A screen without a composer may
 * also be half drawn: it needs 2 s without output if nothing shows that it is
 * complete, and 0.3 s after Enter. While afw's own message is submitted but not
 * accepted, nothing counts as open.
 *
 * Working and waiting are reported at once, idle and completed only after they
 * have held for 300 ms: this may be the gap between two tool calls, and a
 * queued message may follow. Three cases can be neither and are reported at
 * once: an end that the harness reports explicitly while nothing can be queued,
 * idle after an interrupt, and at a start the first sight of an empty composer.
 * "completed" is idle after work that was not interrupted; it stays until the
 * next message or sign of work.
 *
 * A harness that has a composer is starting (ACTIVITY_NONE) until it shows it.
 * If that takes longer than ready_timeout, or an idle harness has a blank
 * screen for that long, it is waiting for the user.
 *
 * Until a turn has begun, a harness whose hooks report turns is idle when its
 * composer is shown and empty: OSC 7501 and title of Codex say "working" also
 * while it sets itself up.
 *
 * A new reason to report an agent as waiting belongs in one of three places:
 *
 *   its screen, title, hook or OSC 7501 says so   its adapter, or the patterns
 *                                                 of share/adapters/NAME.ini
 *   something is in the composer's place          activity_idle.c
 *   no signal shows it, the supervisor knows it   the hook refine of a part
 *                                                 (supervisor/part.h), as in
 *                                                 door/bridge.c and
 *                                                 sender/messages.c
 *
 * A part that refines calls monitor_update() when what it knows changes,
 * and reports its reason to `afw status` in on_status() of
 * supervisor/request.c.
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
	enum source source;	   /* that reported it */
	char detail[READING_TEXT]; /* printable; may be "" */
	bool question;	  /* an approval or a dialog is up: Enter answers it */
	bool failed;	  /* the last turn ended in an error of the harness */
	bool may_fail;	  /* completed, and the screen may still show an error:
			     for 300 ms */
	bool starting_up; /* idle, but still busy with its own start */
	bool hooks_running; /* completed, but hooks of the end may still run */
	bool hook_may_answer; /* waiting, but a hook may answer: for 3 s, or 0.7
				 s if it is on the screen */
	int64_t since;	      /* monotonic ms: since when it is this activity */
	int64_t next_ms; /* call activity_verdict() again after this delay even
			    if nothing arrives (after a new activity_process()
			    if possible); -1: no need */
};

/* Returns a fuser, to be freed with activity_destroy(), which borrows adapter;
 * rules may be NULL and are not kept. */
struct activity_fuser *activity_create(const struct adapter *adapter,
				       const struct rules *rules);
void activity_destroy(struct activity_fuser *a); /* may be NULL */

/*
 * Stores a reading of OSC 7501, of a hook or of the title. ACTIVITY_NONE
 * withdraws the last reading of OSC 7501 or of the title (call it so when
 * adapter_read_title() returns false); from a hook it leaves the last reading
 * as it is, and only turn_started, turn_ended and failed are used.
 */
void activity_reading(struct activity_fuser *a, const struct reading *r,
		      int64_t now);

/* True until a harness that has a composer shows it, or a turn begins; at most
 * for the time that a start may take. */
bool activity_is_starting(const struct activity_fuser *a, int64_t now);

/* Stores what the screen shows now. Call it whenever that has changed. */
void activity_screen(struct activity_fuser *a, const struct screen_state *l,
		     int64_t now);

/* Records that the harness printed something. */
void activity_output(struct activity_fuser *a, int64_t now);

/* Stores a sample of the process: the processor time of the whole tree so far,
 * and its number of processes. */
void activity_process(struct activity_fuser *a, int64_t cpu_ms, int children,
		      int64_t now);

/* Records that an interrupt key was sent: the hooks' "working" is doubtful from
 * now on, and the end that follows is "idle", not "completed". If the title or
 * the screen still shows work after 3 s, nothing was interrupted. */
void activity_interrupted(struct activity_fuser *a, int64_t now);
/* Records that the key was not sent after all. */
void activity_not_interrupted(struct activity_fuser *a);

/* True if the harness is idle with its composer shown because of that key, or
 * because its screen says so; not if the interrupt is only guessed. */
bool activity_is_idle_interrupted(const struct activity_fuser *a);

/* Records that a person typed into the harness, without an interrupt key: this
 * may begin a turn or queue a message. */
void activity_typed(struct activity_fuser *a, int64_t now);

/* Records that a person pressed Enter. */
void activity_entered(struct activity_fuser *a, int64_t now);

/* Records that a message was submitted (receipt SUBMITTED): "completed" is
 * over. */
void activity_sent(struct activity_fuser *a, int64_t now);
/* Records that the message has its last receipt. Until then, or until work is
 * seen, the harness has not drawn its answer to the message. */
void activity_settled(struct activity_fuser *a);

/*
 * Stores the present verdict in *v. Updates what depends on time, so call it
 * after each of the above and after next_ms. Cheap.
 */
void activity_verdict(struct activity_fuser *a, int64_t now, struct verdict *v);

/*
 * Sets, for `afw status`, "signals" (a list of {source, activity, detail,
 * question, age_ms, believed, why}; the process has output_age_ms, cpu_age_ms,
 * children too) and "explanation" (one sentence) in out. Changes nothing.
 */
void activity_explain(const struct activity_fuser *a, int64_t now, cJSON *out);

#endif
