/*
 * activity_idle.c - decides when "idle" is not idle: messages in the harness's
 * own queue mean working, something in the composer's place means waiting.
 */
#include "activity/activity_internal.h"

#include <stdio.h>

/* Turns "idle" into "working" if the harness's own queue has messages. Only for
 * a short time: the row on the screen may be old. */
static bool apply_queue(const struct activity_fuser *a, int64_t now,
			struct fused *f)
{
	int64_t left;

	/* The process does not show a queue. */
	if (!a->queued || f->source >= ACTIVITY_SLOTS)
		return false;
	left = a->slots[f->source].since + ACTIVITY_QUEUED_MS - now;
	if (left <= 0)
		return false;
	activity_sooner(&f->next_ms, left);
	f->claim = CLAIM_BUSY;
	f->activity = ACTIVITY_WORKING;
	snprintf(f->detail, sizeof f->detail, "its own queue has messages");
	return true;
}

/* True if the screen shows something in the place of a composer that was there
 * before. */
static bool is_overlaid(const struct activity_fuser *a)
{
	return (a->shown || a->begun) && !a->blank;
}

/* Returns the time at which a missing composer is reported. */
static int64_t covered_at(const struct activity_fuser *a, int64_t rest_since)
{
	int64_t at =
	    activity_later(a->covered_since, rest_since) + ACTIVITY_COVERED_MS;

	if (!is_overlaid(a))
		return a->covered_since + a->ready_ms;
	if (a->entered_at != 0)
		at = activity_later(at, a->entered_at + ACTIVITY_ENTERED_MS);
	if (a->half_drawn)
		at = activity_later(at, a->output_at + ACTIVITY_HALF_DRAWN_MS);
	return at;
}

static void describe_covered(const struct activity_fuser *a, struct fused *f)
{
	const char *what = a->slots[SOURCE_SCREEN].r.detail;

	if (!is_overlaid(a))
		snprintf(
		    f->detail, sizeof f->detail,
		    "its input field has not been on the screen for %lld s",
		    (long long)(a->ready_ms / 1000));
	else
		snprintf(
		    f->detail, sizeof f->detail,
		    "something is open in place of its input field%s%.140s",
		    a->overlay ? ": " : "", a->overlay ? what : "");
}

/*
 * Sets "waiting" if the user has opened a picker, a search or a pager in the
 * composer's place, or if there was no composer for as long as a start may
 * take. Until then a harness that has never shown it is starting, whatever its
 * hooks say.
 */
static bool apply_covered(const struct activity_fuser *a, int64_t now,
			  struct fused *f)
{
	int64_t since = f->reading ? a->slots[f->source].since : 0;
	int64_t left = covered_at(a, since) - now;

	if (!a->covered || a->submitted)
		return false;
	/* An open pager may hide a turn that no other signal reports. */
	if (f->claim != CLAIM_IDLE &&
	    (f->claim != CLAIM_NONE || is_overlaid(a)))
		return false;
	if (left > 0) {
		activity_sooner(&f->next_ms, left);
		f->starting = activity_is_starting(a, now);
		if (f->starting && f->claim == CLAIM_IDLE) {
			f->claim = CLAIM_NONE;
			f->activity = ACTIVITY_NONE;
			f->detail[0] = '\0';
		}
		return false;
	}
	f->covered = true;
	f->claim = CLAIM_WAITING;
	f->activity = ACTIVITY_WAITING_FOR_INPUT;
	describe_covered(a, f);
	return true;
}

bool activity_correct_idle(const struct activity_fuser *a, int64_t now,
			   struct fused *f)
{
	return (f->claim == CLAIM_IDLE && apply_queue(a, now, f)) ||
	       apply_covered(a, now, f);
}
