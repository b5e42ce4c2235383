/*
 * activity_verdict.c - decides what is reported of the fused signals.
 *
 * Idle that may be only the gap between two tool calls is held back. Whether
 * idle is reported as completed, idle, interrupted or failed depends on what
 * happened in the turn.
 */
#include "activity/activity_internal.h"

#include <stdio.h>
#include <string.h>

/*
 * True for a turn so short that no sign of work was seen: a message was
 * submitted, the harness printed, and its composer has been free for a while.
 * Not if hooks report turns: on a busy machine their report is still to come.
 */
static bool was_quick_turn(const struct activity_fuser *a,
			   const struct fused *f, int64_t now, int64_t *next)
{
	int64_t left = a->sent_at + ACTIVITY_QUICK_TURN_MS - now;

	if (activity_has_hooks(a) || a->sent_at == 0 ||
	    a->output_at <= a->sent_at || a->interrupted ||
	    (f->source != SOURCE_TITLE && f->source != SOURCE_SCREEN))
		return false;
	if (left > 0)
		activity_sooner(next, left);
	return left <= 0;
}

/* Returns ACTIVITY_COMPLETED or ACTIVITY_IDLE. */
static enum activity idle_activity(const struct activity_fuser *a,
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
	/* It reports the turn before the last message. */
	s = &a->slots[f->source];
	if (a->sent_at > 0 && s->since <= a->sent_at)
		return ACTIVITY_IDLE;
	return ACTIVITY_COMPLETED;
}

/*
 * True if the screen shows an error of this turn. An older error may still be
 * shown after a hook has reported an end with an answer: the harness has not
 * drawn the answer yet (Gemini CLI, on a busy machine).
 */
static bool shows_failure(const struct activity_fuser *a)
{
	const struct slot *hook = &a->slots[SOURCE_HOOK];

	return a->error_since &&
	       (a->error_since > a->turn_at ||
		!a->adapter->reports_unanswered || !hook->r.turn_ended ||
		hook->r.unanswered || hook->seen <= a->turn_at);
}

/* True while the screen may still show that the turn which has just ended, as a
 * hook or OSC 7501 reported, has failed. */
static bool may_fail(const struct activity_fuser *a, struct verdict *v,
		     int64_t now)
{
	int64_t left = v->since + ACTIVITY_REST_MS - now;

	if (v->activity != ACTIVITY_COMPLETED || v->failed ||
	    v->source > SOURCE_HOOK || !a->shows_errors || left <= 0)
		return false;
	activity_sooner(&v->next_ms, left);
	return true;
}

/*
 * True while a hook may answer a question. A hook reports the question, but its
 * menu may never come; and Claude Code draws its menu while other hooks still
 * run, which may remove it again. On a busy machine the menu is shown before
 * any hook has reported.
 */
static bool hook_may_answer(const struct activity_fuser *a,
			    const struct fused *f, int64_t since, int64_t now,
			    int64_t *next)
{
	const struct slot *hook = &a->slots[SOURCE_HOOK];
	bool told = hook->claim == CLAIM_WAITING;
	bool shown = a->slots[SOURCE_SCREEN].r.question ||
		     a->slots[SOURCE_TITLE].claim == CLAIM_WAITING;
	int64_t left = (told ? hook->seen : since) - now +
		       (shown || !told ? ACTIVITY_SHOWN_MS : ACTIVITY_ASKED_MS);

	if (f->claim != CLAIM_WAITING || hook->claim == CLAIM_NONE ||
	    (told && hook->r.late) || left <= 0)
		return false;
	activity_sooner(next, left);
	return true;
}

/* True if a hook has reported the turn's end, and other signals still show
 * work. */
static bool hooks_running(const struct activity_fuser *a, const struct fused *f)
{
	const struct slot *s = &a->slots[SOURCE_PROGRAM_STATUS];

	if (f->claim != CLAIM_IDLE || f->source != SOURCE_HOOK ||
	    !f->reading->turn_ended)
		return false;
	if (s->claim == CLAIM_NONE)
		s = &a->slots[SOURCE_TITLE];
	if (s->claim == CLAIM_NONE)
		s = &a->slots[SOURCE_SCREEN];
	return s->claim == CLAIM_BUSY;
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
	    .failed = f->claim == CLAIM_IDLE &&
		      (a->failed || (f->reading && f->reading->unanswered &&
				     !a->interrupted)),
	    .starting_up = f->starting_up,
	    .hooks_running = hooks_running(a, f),
	    .since = since,
	    .next_ms = f->next_ms,
	};
	v->hook_may_answer = hook_may_answer(a, f, since, now, &v->next_ms);
	if (f->claim == CLAIM_IDLE && !v->failed)
		v->failed = shows_failure(a);
	v->may_fail = may_fail(a, v, now);
	if (activity == ACTIVITY_IDLE && a->interrupted)
		snprintf(v->detail, sizeof v->detail, "interrupted");
	else
		memcpy(v->detail, f->detail, sizeof v->detail);
	if (f->claim == CLAIM_BUSY &&
	    (a->last.activity == ACTIVITY_NONE ||
	     activity_claim(a->last.activity) == CLAIM_IDLE))
		a->busy_at = now;
	a->last = *v;
	a->was_covered = f->covered;
}

/* True if idle cannot be a gap: see activity.h. */
static bool is_sure(const struct activity_fuser *a, const struct fused *f)
{
	if (a->last.activity == ACTIVITY_NONE)
		return a->composer == COMPOSER_EMPTY;
	if (a->interrupted)
		return true;
	if (f->reading == NULL || activity_may_be_queued(a))
		return false;
	return (f->source == SOURCE_HOOK && f->reading->turn_ended &&
		!f->reading->unanswered) ||
	       (f->source == SOURCE_PROGRAM_STATUS &&
		f->activity == ACTIVITY_COMPLETED);
}

/* True while idle must not be reported yet. */
static bool must_hold_idle(struct activity_fuser *a, const struct fused *f,
			   int64_t now, int64_t *next)
{
	int64_t left;

	/* A picker that was open in between is not work. */
	if (activity_claim(a->last.activity) == CLAIM_IDLE || a->was_covered)
		return false;
	if (is_sure(a, f))
		return false;
	if (!a->resting) {
		a->resting = true;
		a->resting_since = now;
	}
	left = a->resting_since + ACTIVITY_REST_MS - now;
	if (left > 0)
		activity_sooner(next, left);
	return left > 0;
}

/* True if the interrupt key did not interrupt the harness. */
static bool still_works(const struct activity_fuser *a)
{
	for (int i = SOURCE_TITLE; i <= SOURCE_SCREEN; i++)
		if (a->slots[i].claim == CLAIM_BUSY &&
		    a->slots[i].seen >
			a->interrupted_at + ACTIVITY_INTERRUPT_DOUBT_MS)
			return true;
	return false;
}

/* Keys typed in tmux bypass afw: an interrupt shows only in that no hook
 * reported the end. */
static bool was_interrupted(const struct activity_fuser *a,
			    const struct fused *f)
{
	return a->adapter->reports_ends && a->open &&
	       (f->source == SOURCE_TITLE || f->source == SOURCE_SCREEN);
}

void activity_verdict(struct activity_fuser *a, int64_t now, struct verdict *v)
{
	struct fused f;
	enum activity activity;

	activity_fuse(a, now, NULL, &f);
	/* No source has an opinion any more: the last verdict stays. */
	if ((f.claim == CLAIM_NONE && !f.starting) ||
	    (f.claim == CLAIM_IDLE && must_hold_idle(a, &f, now, &f.next_ms))) {
		a->last.next_ms = f.next_ms;
		a->last.may_fail = false;
		if (a->last.activity == ACTIVITY_NONE)
			memcpy(a->last.detail, f.detail, sizeof f.detail);
		*v = a->last;
		return;
	}
	activity = f.activity;
	if (f.claim == CLAIM_IDLE) {
		if (was_interrupted(a, &f)) {
			a->guessed |= !a->interrupted;
			a->interrupted = true;
			a->interrupted_at = now;
			a->worked = false;
			a->open = false;
		}
		activity = idle_activity(a, &f, now, &f.next_ms);
	} else {
		a->resting = false;
		if (f.claim == CLAIM_BUSY) {
			a->failed = a->submitted = false;
			if (a->interrupted && still_works(a)) {
				a->interrupted = false;
				a->worked = true;
			}
			/* Work that began after the interrupt's rest. */
			if (activity_claim(a->last.activity) == CLAIM_IDLE)
				a->interrupted = false;
			if (f.reading != NULL && !a->interrupted &&
			    activity_is_turn(a, f.source))
				a->worked = true;
		}
	}
	report(a, &f, activity, now, v);
}
