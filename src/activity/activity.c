/*
 * activity.c - keeps each signal's last reading.
 *
 * activity_fuse.c judges the readings, and activity_idle.c whether "idle" is
 * idle, as a function of the slots and the time alone; activity_verdict.c
 * reports the result. This file keeps what has memory: since when each signal
 * reports the same, and what happened in the turn (so that idle can be reported
 * as "completed").
 */
#include "activity/activity_internal.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/screen/rules.h"
#include "base/mem.h"

struct activity_fuser *activity_create(const struct adapter *adapter,
				       const struct rules *rules)
{
	struct activity_fuser *a = mem_alloc(sizeof *a);

	a->adapter = adapter;
	a->ready_ms = adapter_ready_timeout_ms(rules);
	a->shows_errors = rules_has(rules, "error");
	a->last.source = SOURCE_PROCESS;
	a->last.next_ms = -1;
	return a;
}

void activity_destroy(struct activity_fuser *a)
{
	free(a);
}

static void slot_set(struct slot *s, const struct reading *r, int64_t now)
{
	enum claim claim = activity_claim(r->activity);

	if (claim != s->claim || s->seen == 0)
		s->since = now;
	s->r = *r;
	s->claim = claim;
	s->seen = now;
}

/*
 * A turn has begun: "idle" from a higher-ranked signal is about the time before
 * it. That signal reports again when it has seen the turn; until then its old
 * reading would make the new turn look completed.
 */
static void outdate_idle(struct activity_fuser *a, enum source except)
{
	for (int i = 0; i < SOURCE_SCREEN; i++) {
		struct slot *s = &a->slots[i];

		if (i == (int)except || s->claim != CLAIM_IDLE)
			continue;
		s->claim = CLAIM_NONE;
		s->r.activity = ACTIVITY_NONE;
	}
}

bool activity_is_idle_interrupted(const struct activity_fuser *a)
{
	return a->interrupted && !a->guessed &&
	       activity_claim(a->last.activity) == CLAIM_IDLE &&
	       (a->composer == COMPOSER_EMPTY || a->composer == COMPOSER_DRAFT);
}

static void set_interrupted(struct activity_fuser *a, int64_t now)
{
	a->interrupted = true;
	a->guessed = a->worked = false;
	a->interrupted_at = now;
}

void activity_reading(struct activity_fuser *a, const struct reading *r,
		      int64_t now)
{
	if (r->source >= SOURCE_SCREEN)
		return;
	if (r->turn_started) {
		a->worked = true;
		a->interrupted = false;
		a->failed = false;
		a->begun = true;
		a->turn_at = now;
		outdate_idle(a, r->source);
	}
	if (activity_claim(r->activity) == CLAIM_BUSY &&
	    r->source != SOURCE_TITLE) {
		/* This is work after an interrupted turn. A turn may be over
		 * before the verdict is read. */
		if (activity_claim(a->last.activity) == CLAIM_IDLE)
			a->interrupted = false;
		if (activity_is_turn(a, r->source))
			a->worked = !a->interrupted;
	}
	/* The key interrupted nothing (it closed a menu), or came too late. */
	if (r->turn_ended && r->source == SOURCE_HOOK && a->interrupted &&
	    !a->adapter->ends_interrupted) {
		a->interrupted = false;
		a->worked = true;
	}
	if (r->source == SOURCE_HOOK && (r->turn_started || r->turn_ended))
		a->open = !r->turn_ended;
	if (r->source == SOURCE_HOOK && r->turn_started)
		a->opened_at = now;
	if (r->interrupted)
		set_interrupted(a, now);
	if (r->failed)
		a->failed = true;
	if (r->activity != ACTIVITY_NONE || r->source != SOURCE_HOOK)
		slot_set(&a->slots[r->source], r, now);
}

void activity_screen(struct activity_fuser *a, const struct screen_state *l,
		     int64_t now)
{
	struct slot *s = &a->slots[SOURCE_SCREEN];
	struct reading screen = l->reading;
	bool covered = l->composer == COMPOSER_ABSENT;

	/* A draft may be an old message of a resumed conversation. */
	a->by_composer = screen.activity == ACTIVITY_NONE &&
			 l->composer == COMPOSER_EMPTY &&
			 activity_starting_up(a);
	if (a->by_composer)
		screen.activity = ACTIVITY_IDLE;
	/* A key that afw did not see; an older turn's notice stays on the
	 * screen. */
	if (screen.interrupted && !s->r.interrupted && a->worked)
		set_interrupted(a, now);
	if (s->r.question && !screen.question)
		a->question_left_at = now;
	if (!screen.failed)
		a->error_since = 0;
	else if (!a->error_since)
		a->error_since = now;
	if (covered != a->covered)
		a->covered_since = now;
	a->covered = covered;
	a->blank = l->blank;
	a->overlay = l->overlay;
	a->half_drawn = l->half_drawn;
	a->shown |= l->composer == COMPOSER_EMPTY;
	a->queued = l->queued;
	a->composer = l->composer;
	slot_set(s, &screen, now);
}

void activity_output(struct activity_fuser *a, int64_t now)
{
	a->output_at = now;
}

void activity_process(struct activity_fuser *a, int64_t cpu_ms, int children,
		      int64_t now)
{
	int64_t cpu_used_ms = cpu_ms - a->cpu_ms, elapsed = now - a->process_at;

	if (a->samples > 0 && children != a->children)
		a->children_at = now;
	a->children = children;
	if (a->samples > 0 && elapsed < ACTIVITY_SAMPLE_MS / 4)
		return; /* too short for a rate; count from the older one */
	/* An idle runtime ticks a little; 3 % and two ticks are work. */
	if (a->samples > 0 && cpu_used_ms >= 20 &&
	    cpu_used_ms * 100 > elapsed * 3)
		a->cpu_at = now;
	a->cpu_ms = cpu_ms;
	a->process_at = now;
	if (a->samples < 2)
		a->samples++;
}

void activity_interrupted(struct activity_fuser *a, int64_t now)
{
	struct fused f;

	activity_fuse(a, now, NULL, &f);
	/* The key closes a window, and no turn is running below it. */
	if (f.claim != CLAIM_BUSY &&
	    (f.claim != CLAIM_WAITING || activity_is_idle_below(a)))
		return;
	set_interrupted(a, now);
}

void activity_not_interrupted(struct activity_fuser *a)
{
	if (!a->interrupted)
		return;
	a->interrupted = false;
	a->interrupted_at = 0;
	a->worked = true;
}

void activity_typed(struct activity_fuser *a, int64_t now)
{
	/* The answer to a question (may it trust this folder?) does not begin a
	 * turn. */
	if (a->last.question || a->slots[SOURCE_SCREEN].r.question)
		return;
	a->begun = true;
	a->input_at = now;
}

void activity_entered(struct activity_fuser *a, int64_t now)
{
	a->entered_at = now;
}

void activity_settled(struct activity_fuser *a)
{
	a->submitted = false;
}

void activity_sent(struct activity_fuser *a, int64_t now)
{
	a->submitted = true;
	a->sent_at = a->input_at = a->turn_at = now;
	a->begun = true;
	a->worked = false;
	a->interrupted = false;
	a->failed = false;
	a->open = false;
}
