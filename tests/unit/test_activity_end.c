/* test_activity_end.c - how a turn ends: interrupted, failed, its hooks still
 * running. */
#include "support_fuser.h"
#include "support_unit.h"
#include "supervisor/activity.h"

TEST(activity_end__the_rest_after_an_interrupt_is_not_held)
{
	struct fuser f = fuser_new(&fuser_hooked);

	fuser_say(&f, SOURCE_TITLE, WORKING);
	fuser_at(&f, 1000);
	activity_interrupted(f.a, f.now);
	assert_int_equal(fuser_at(&f, 10), WORKING);
	fuser_say(&f, SOURCE_TITLE, IDLE);
	assert_int_equal(fuser_at(&f, 0), IDLE);
	activity_destroy(f.a);
}

TEST(activity_end__after_an_interrupt_it_is_idle)
{
	struct fuser f = fuser_new(&fuser_hooked);

	fuser_say(&f, SOURCE_HOOK, WORKING);
	fuser_at(&f, 500);
	activity_interrupted(f.a, f.now);
	fuser_say(&f, SOURCE_HOOK, COMPLETED); /* Gemini tells so even then */
	assert_int_equal(fuser_after(&f, 400), IDLE);
	assert_string_equal(f.v.detail, "interrupted");

	/* Only hooks, and none for the interrupt: after three quiet seconds */
	fuser_say(&f, SOURCE_HOOK, WORKING);
	assert_int_equal(fuser_at(&f, 0), WORKING);
	activity_interrupted(f.a, f.now);
	activity_output(f.a, f.now);
	assert_int_equal(fuser_after(&f, 2900), WORKING);
	assert_int_equal(fuser_after(&f, 500), IDLE);

	/* An Esc while nothing goes on is no interrupt. */
	fuser_say(&f, SOURCE_HOOK, WORKING);
	fuser_say(&f, SOURCE_HOOK, COMPLETED);
	fuser_after(&f, 400);
	activity_interrupted(f.a, f.now);
	assert_int_equal(fuser_at(&f, 0), COMPLETED);
	activity_destroy(f.a);
}

/* Of which no menu was ever seen: output does not bring it back; another
 * question is one. */
TEST(activity_end__what_it_asked_before_is_past)
{
	struct fuser f = fuser_new(&fuser_hooked);
	struct reading asks = {
	    .source = SOURCE_HOOK, .activity = WAITING, .question = true};

	fuser_say(&f, SOURCE_HOOK, WORKING);
	activity_reading(f.a, &asks, f.now);
	assert_int_equal(fuser_at(&f, 0), WAITING);
	activity_interrupted(f.a, f.now);
	fuser_say(&f, SOURCE_TITLE, IDLE);
	assert_int_equal(fuser_after(&f, 2900), WAITING);
	assert_int_equal(fuser_after(&f, 500), IDLE);
	activity_output(f.a, f.now);
	assert_int_equal(fuser_at(&f, 0), IDLE);
	assert_int_equal(fuser_after(&f, 100), IDLE);
	activity_sent(f.a, f.now); /* nor does the next message */
	assert_int_not_equal(fuser_at(&f, 0), WAITING);
	fuser_say(&f, SOURCE_TITLE, WORKING);
	assert_int_not_equal(fuser_after(&f, 100), WAITING);
	activity_reading(f.a, &asks, f.now);
	assert_int_equal(fuser_at(&f, 0), WAITING);
	activity_destroy(f.a);
}

TEST(activity_end__failed_until_the_next_work)
{
	struct fuser f = fuser_new(&fuser_hooked);
	struct reading r = {.source = SOURCE_HOOK,
			    .activity = COMPLETED,
			    .failed = true,
			    .detail = "API error"};

	fuser_say(&f, SOURCE_HOOK, WORKING);
	fuser_at(&f, 0);
	activity_reading(f.a, &r, f.now);
	assert_int_equal(fuser_after(&f, 400), COMPLETED);
	assert_true(f.v.failed);
	assert_string_equal(f.v.detail, "API error");
	fuser_say(&f, SOURCE_HOOK, WORKING);
	fuser_at(&f, 0);
	fuser_say(&f, SOURCE_HOOK, COMPLETED);
	fuser_after(&f, 400);
	assert_false(f.v.failed);
	activity_destroy(f.a);
}

/* Gemini CLI's hook tells the end, its screen a moment later that it failed. */
TEST(activity_end__the_screen_gives_the_reason)
{
	struct fuser f = fuser_new(&fuser_hooked);
	struct reading end = {
	    .source = SOURCE_HOOK, .activity = COMPLETED, .turn_ended = true};
	struct look look = {.reading = {.source = SOURCE_SCREEN,
					.activity = COMPLETED,
					.failed = true,
					.detail = "API error"},
			    .composer = COMPOSER_EMPTY};

	fuser_say(&f, SOURCE_HOOK, WORKING);
	fuser_at(&f, 0);
	activity_reading(f.a, &end, f.now);
	assert_int_equal(fuser_after(&f, 10), COMPLETED);
	assert_false(f.v.failed);
	activity_look(f.a, &look, f.now);
	assert_int_equal(fuser_at(&f, 100), COMPLETED);
	assert_true(f.v.failed);
	assert_string_equal(f.v.detail, "API error");
	activity_destroy(f.a);
}

/* Seen with Gemini CLI at a load of 13: its hooks told of the next turn and of
 * its end while the screen was still that of the turn that had failed. */
TEST(activity_end__an_old_error_is_not_this_turns)
{
	struct look look = {.reading = {.source = SOURCE_SCREEN,
					.activity = COMPLETED,
					.failed = true,
					.detail = "API error"},
			    .composer = COMPOSER_EMPTY};
	struct adapter telling = fuser_hooked;
	struct fuser f = fuser_new(&telling);

	telling.tells_unanswered = true;
	activity_look(f.a, &look, f.now);
	fuser_at(&f, 500);
	activity_sent(f.a, f.now);
	fuser_say(&f, SOURCE_HOOK, WORKING);
	fuser_at(&f, 10);
	fuser_ends(&f, SOURCE_HOOK);
	fuser_after(&f, 60000);
	assert_false(f.v.failed);
	activity_destroy(f.a);
}

/* Esc had closed a menu. Interrupted turns have no end by this hook. */
TEST(activity_end__a_key_may_interrupt_nothing)
{
	struct look window = {.reading = {.source = SOURCE_SCREEN,
					  .activity = WAITING,
					  .question = true}};
	struct look rest = {
	    .reading = {.source = SOURCE_SCREEN, .activity = IDLE},
	    .composer = COMPOSER_EMPTY};
	struct fuser f = fuser_new(&fuser_hooked);

	fuser_say(&f, SOURCE_HOOK, WORKING);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, WORKING);
	fuser_at(&f, 1000);
	activity_interrupted(f.a, f.now);
	assert_int_equal(fuser_at(&f, 500), WORKING);
	fuser_ends(&f, SOURCE_HOOK);
	assert_int_equal(fuser_at(&f, 10), COMPLETED);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, COMPLETED);
	assert_int_equal(fuser_after(&f, 400), COMPLETED);
	assert_string_equal(f.v.detail, "");

	/* Help, a picker: nothing goes on behind it. */
	activity_look(f.a, &window, f.now);
	assert_int_equal(fuser_at(&f, 100), WAITING);
	activity_interrupted(f.a, f.now);
	activity_look(f.a, &rest, f.now);
	assert_int_equal(fuser_after(&f, 400), COMPLETED);
	activity_destroy(f.a);
}

/* In tmux keys pass afw; and all other ends are told by a hook. */
TEST(activity_end__an_end_that_no_hook_told_is_none)
{
	struct adapter claude = fuser_hooked;
	struct reading begins = {
	    .source = SOURCE_HOOK, .activity = WORKING, .turn_started = true};
	struct fuser f = fuser_new(&claude);

	claude.tells_ends = true;
	for (int told = 0; told < 2; told++) {
		activity_reading(f.a, &begins, f.now);
		fuser_say(&f, SOURCE_TITLE, WORKING);
		assert_int_equal(fuser_at(&f, 1000), WORKING);
		if (told)
			fuser_ends(&f, SOURCE_HOOK);
		fuser_say(&f, SOURCE_TITLE, IDLE);
		assert_int_equal(fuser_after(&f, 2000),
				 told ? COMPLETED : IDLE);
		assert_string_equal(f.v.detail, told ? "" : "interrupted");
		activity_sent(f.a, f.now);
		assert_int_equal(fuser_at(&f, 10), IDLE);
		assert_string_equal(f.v.detail, "");
	}
	activity_destroy(f.a);
}

TEST(activity_end__the_screen_tells_of_an_interrupt)
{
	struct look cut = {.reading = {.source = SOURCE_SCREEN,
				       .activity = IDLE,
				       .interrupted = true}};
	struct reading begins = {
	    .source = SOURCE_HOOK, .activity = WORKING, .turn_started = true};
	struct reading ends = {.source = SOURCE_HOOK,
			       .activity = COMPLETED,
			       .turn_ended = true,
			       .unanswered = true};
	struct fuser f = fuser_new(&fuser_hooked);

	activity_reading(f.a, &begins, f.now);
	fuser_at(&f, 1000);
	activity_reading(f.a, &ends, f.now);
	assert_int_equal(fuser_at(&f, 20), WORKING);
	activity_look(f.a, &cut, f.now);
	assert_int_equal(fuser_at(&f, 0), IDLE);
	assert_string_equal(f.v.detail, "interrupted");
	assert_false(f.v.failed);
	/* It is not the next turn's. */
	activity_reading(f.a, &begins, f.now);
	activity_look(f.a, &cut, f.now);
	fuser_at(&f, 1000);
	fuser_ends(&f, SOURCE_HOOK);
	assert_int_equal(fuser_after(&f, 400), COMPLETED);
	activity_destroy(f.a);
}

/* Hooks of the user's run when ours has told of the turn's end. */
TEST(activity_end__hooks_may_run_after_a_told_end)
{
	static const enum source shows[] = {SOURCE_PROGRAM_STATUS, SOURCE_TITLE,
					    SOURCE_SCREEN};
	static const enum activity rest[] = {COMPLETED, IDLE, IDLE};

	for (int i = 0; i < 3; i++) {
		struct fuser f = fuser_new(&fuser_hooked);

		fuser_say(&f, SOURCE_HOOK, WORKING);
		if (shows[i] == SOURCE_TITLE)
			fuser_say(&f, SOURCE_SCREEN, IDLE); /* no row for it */
		fuser_say(&f, shows[i], WORKING);
		fuser_at(&f, 1000);
		fuser_ends(&f, SOURCE_HOOK);
		assert_int_equal(fuser_at(&f, 0), COMPLETED);
		assert_true(f.v.hooks_running);
		assert_int_equal(fuser_after(&f, 1499), COMPLETED);
		assert_true(f.v.hooks_running);
		assert_int_equal(fuser_after(&f, 10), WORKING);
		fuser_say(&f, shows[i], rest[i]);
		assert_int_equal(fuser_after(&f, 400), COMPLETED);
		assert_false(f.v.hooks_running);
		activity_destroy(f.a);
	}
}
