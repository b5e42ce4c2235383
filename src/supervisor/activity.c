/*
 * activity.c - keeps each signal's last word, and reports.
 *
 * The judging of what was said is in activity_fuse.c and a function of the
 * slots and the time alone. Here is what has memory: since when a signal
 * says what it says, what the turn has been through (so that a rest can be
 * told to be "completed"), and the holding back of a rest that may be only
 * the gap between two tool calls.
 */
#include "supervisor/activity_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct activity_fuser *activity_create(const struct adapter *adapter)
{
	struct activity_fuser *a = mem_alloc(sizeof *a);

	a->adapter = adapter;
	a->stall_ms = ACTIVITY_STALL_MS;
	a->last.source = SOURCE_PROCESS;
	a->last.next_ms = -1;
	return a;
}

void activity_destroy(struct activity_fuser *a)
{
	free(a);
}

void activity_stall_after(struct activity_fuser *a, int64_t ms)
{
	a->stall_ms = ms;
}

enum mood activity_mood(enum activity a)
{
	switch (a) {
	case ACTIVITY_WORKING:
	case ACTIVITY_THINKING:
		return MOOD_BUSY;
	case ACTIVITY_WAITING_FOR_INPUT:
		return MOOD_WAITING;
	case ACTIVITY_COMPLETED:
	case ACTIVITY_IDLE:
		return MOOD_REST;
	case ACTIVITY_NONE:
	case ACTIVITY_COUNT:
		break;
	}
	return MOOD_NONE;
}

static void slot_set(struct slot *s, const struct reading *r, int64_t now)
{
	enum mood mood = activity_mood(r->activity);

	if (mood != s->mood || s->seen == 0)
		s->since = now;
	s->r = *r;
	s->mood = mood;
	s->seen = now;
}

/*
 * A turn has begun: what the better ranked signals said before it is about
 * the rest before it. They speak again when they have seen the turn; until
 * then their old word would make the new turn look completed.
 */
static void outdate_rest(struct activity_fuser *a, enum source but)
{
	for (int i = 0; i < SOURCE_SCREEN; i++) {
		struct slot *s = &a->slots[i];

		if (i == (int)but || s->mood != MOOD_REST)
			continue;
		s->mood = MOOD_NONE;
		s->r.activity = ACTIVITY_NONE;
	}
}

/*
 * Work at a start is no turn yet: Codex says by OSC 7501 and by its title's
 * spinner that it works while it sets itself up, then that it is idle. Until
 * somebody has sent or typed something, only hooks (which tell of turns) and
 * the screen do; and "done" in so many words.
 */
static bool is_turn(const struct activity_fuser *a, enum source s)
{
	return a->sent_at != 0 || a->typed || a->adapter->hook != NULL ||
	       (s != SOURCE_PROGRAM_STATUS && s != SOURCE_TITLE);
}

void activity_reading(struct activity_fuser *a, const struct reading *r,
		      int64_t now)
{
	struct reading said = *r;

	if (r->source >= SOURCE_SCREEN)
		return;
	if (r->turn_started) {
		a->worked = true;
		a->interrupted = false;
		a->failed = false;
		outdate_rest(a, r->source);
		if (said.activity == ACTIVITY_NONE)
			said.activity = ACTIVITY_WORKING;
	}
	if (r->turn_ended && said.activity == ACTIVITY_NONE)
		said.activity = ACTIVITY_COMPLETED;
	if (activity_mood(said.activity) == MOOD_BUSY &&
	    r->source != SOURCE_TITLE) {
		/* Work after the interrupt's rest; and a turn may be over
		 * before anybody asks. */
		if (activity_mood(a->last.activity) == MOOD_REST)
			a->interrupted = false;
		if (is_turn(a, r->source))
			a->worked = !a->interrupted;
	}
	if (r->failed)
		a->failed = true;
	if (said.activity != ACTIVITY_NONE || r->source != SOURCE_HOOK)
		slot_set(&a->slots[r->source], &said, now);
}

void activity_look(struct activity_fuser *a, const struct look *l, int64_t now)
{
	a->composer = l->composer;
	slot_set(&a->slots[SOURCE_SCREEN], &l->reading, now);
}

void activity_output(struct activity_fuser *a, int64_t now)
{
	a->output_at = now;
}

void activity_process(struct activity_fuser *a, int64_t cpu_ms, int children,
		      int64_t now)
{
	int64_t used = cpu_ms - a->cpu_ms, elapsed = now - a->process_at;

	if (a->samples > 0 && children != a->children)
		a->children_at = now;
	a->children = children;
	if (a->samples > 0 && elapsed < ACTIVITY_SAMPLE_MS / 4)
		return; /* too short for a rate; count from the older one */
	/* An idle runtime ticks a little; 3 % and two ticks are work. */
	if (a->samples > 0 && used >= 20 && used * 100 > elapsed * 3)
		a->cpu_at = now;
	a->cpu_ms = cpu_ms;
	a->process_at = now;
	if (a->samples < 2)
		a->samples++;
}

void activity_interrupted(struct activity_fuser *a, int64_t now)
{
	struct fused f;

	activity_fuse(a, now, &f);
	if (f.mood != MOOD_BUSY && f.mood != MOOD_WAITING)
		return;
	a->interrupted = true;
	a->interrupted_at = now;
	a->worked = false;
}

void activity_typed(struct activity_fuser *a)
{
	a->typed = true;
}

void activity_sent(struct activity_fuser *a, int64_t now)
{
	a->sent_at = now;
	a->worked = false;
	a->interrupted = false;
	a->failed = false;
}

static void sooner(int64_t *next_ms, int64_t delay)
{
	if (delay < 0)
		delay = 0;
	if (*next_ms < 0 || delay < *next_ms)
		*next_ms = delay;
}

/*
 * A turn so short that no sign of work was ever seen: a message went in,
 * the harness printed, and its composer has been free for a while. Only for
 * signals that are looked at; those that tell would have told.
 */
static bool was_quick_turn(const struct activity_fuser *a,
			   const struct fused *f, int64_t now, int64_t *next)
{
	int64_t left = a->sent_at + ACTIVITY_QUICK_TURN_MS - now;

	if (a->sent_at == 0 || a->output_at <= a->sent_at || a->interrupted ||
	    (f->source != SOURCE_TITLE && f->source != SOURCE_SCREEN))
		return false;
	if (left > 0)
		sooner(next, left);
	return left <= 0;
}

/* Completed or idle? */
static enum activity rest_activity(const struct activity_fuser *a,
				   const struct fused *f, int64_t now,
				   int64_t *next)
{
	const struct slot *s;

	if (a->interrupted)
		return ACTIVITY_IDLE;
	if (a->worked)
		return ACTIVITY_COMPLETED;
	if (was_quick_turn(a, f, now, next))
		return ACTIVITY_COMPLETED;
	if (f->reading == NULL || f->activity != ACTIVITY_COMPLETED)
		return ACTIVITY_IDLE;
	/* Its word is about the turn before the last message. */
	s = &a->slots[f->source];
	if (a->sent_at > 0 && s->since <= a->sent_at)
		return ACTIVITY_IDLE;
	return ACTIVITY_COMPLETED;
}

static void report(struct activity_fuser *a, const struct fused *f,
		   enum activity activity, int64_t now, struct verdict *v)
{
	int64_t since = a->last.activity == activity && a->last.since != 0
			    ? a->last.since
			    : now;

	*v = (struct verdict){
	    .activity = activity,
	    .source = f->source,
	    .question = f->question,
	    .failed = f->mood == MOOD_REST &&
		      (a->failed || (f->reading && f->reading->failed)),
	    .stalled = f->stalled,
	    .since = since,
	    .next_ms = f->next_ms,
	};
	if (activity == ACTIVITY_IDLE && a->interrupted)
		snprintf(v->detail, sizeof v->detail, "interrupted");
	else
		memcpy(v->detail, f->detail, sizeof v->detail);
	a->last = *v;
}

/* True while a rest must not be reported yet. */
static bool hold_rest(struct activity_fuser *a, int64_t now, int64_t *next)
{
	int64_t left;

	if (activity_mood(a->last.activity) == MOOD_REST)
		return false;
	if (!a->resting) {
		a->resting = true;
		a->resting_since = now;
	}
	left = a->resting_since + ACTIVITY_REST_MS - now;
	if (left > 0)
		sooner(next, left);
	return left > 0;
}

void activity_verdict(struct activity_fuser *a, int64_t now, struct verdict *v)
{
	struct fused f;
	enum activity activity;

	activity_fuse(a, now, &f);
	/* Nobody has an opinion any more: what was said stays said. */
	if (f.mood == MOOD_NONE ||
	    (f.mood == MOOD_REST && hold_rest(a, now, &f.next_ms))) {
		a->last.next_ms = f.next_ms;
		*v = a->last;
		return;
	}
	activity = f.activity;
	if (f.mood == MOOD_REST) {
		activity = rest_activity(a, &f, now, &f.next_ms);
	} else {
		a->resting = false;
		if (f.mood == MOOD_BUSY) {
			a->failed = false;
			/* Work that began after the interrupt's rest. */
			if (activity_mood(a->last.activity) == MOOD_REST)
				a->interrupted = false;
			if (f.reading != NULL && !a->interrupted &&
			    is_turn(a, f.source))
				a->worked = true;
		}
	}
	report(a, &f, activity, now, v);
}
