/* test_activity_end.c - how a turn ends: interrupted, failed, its hooks still
 * running. */
#include "support_fuser.h"
#include "support_unit.h"
#include "activity/activity.h"

FIXTURE(fuser_begin, fuser_end)

TEST(activity_end__the_rest_after_an_interrupt_is_not_held)
{
	fuser_say(SOURCE_TITLE, WORKING);
	fuser_at(1000);
	activity_interrupted(fuser.a, fuser.now);
	assert_int_equal(fuser_at(10), WORKING);
	fuser_say(SOURCE_TITLE, IDLE);
	assert_int_equal(fuser_at(0), IDLE);
}

TEST(activity_end__after_an_interrupt_it_is_idle)
{
	fuser_say(SOURCE_HOOK, WORKING);
	fuser_at(500);
	activity_interrupted(fuser.a, fuser.now);
	fuser_say(SOURCE_HOOK,
		  COMPLETED); /* Gemini CLI reports that even then */
	assert_int_equal(fuser_after(400), IDLE);
	assert_string_equal(fuser.v.detail, "interrupted");

	/* Only hooks, and none for the interrupt: after three quiet seconds */
	fuser_say(SOURCE_HOOK, WORKING);
	assert_int_equal(fuser_at(0), WORKING);
	activity_interrupted(fuser.a, fuser.now);
	activity_output(fuser.a, fuser.now);
	assert_int_equal(fuser_after(2900), WORKING);
	assert_int_equal(fuser_after(500), IDLE);

	/* An Esc while no turn is running is not an interrupt. */
	fuser_say(SOURCE_HOOK, WORKING);
	fuser_say(SOURCE_HOOK, COMPLETED);
	fuser_after(400);
	activity_interrupted(fuser.a, fuser.now);
	assert_int_equal(fuser_at(0), COMPLETED);
}

/* Its composer is shown and free all the time. */
TEST(activity_end__an_expired_login_waits_until_the_next_turn)
{
	struct reading r = {.source = SOURCE_HOOK,
			    .activity = WAITING,
			    .turn_ended = true,
			    .failed = true,
			    .login = true};

	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	fuser_say(SOURCE_HOOK, WORKING);
	assert_int_equal(fuser_after(400), WORKING);
	activity_reading(fuser.a, &r, fuser.now);
	r.source = SOURCE_PROGRAM_STATUS;
	activity_reading(fuser.a, &r, fuser.now);
	assert_int_equal(fuser_at(0), WAITING);
	assert_false(fuser.v.question);
	fuser_say(SOURCE_SCREEN, IDLE);
	assert_int_equal(fuser_after(20000), WAITING);
	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	assert_int_equal(fuser_at(0), WORKING);
}

/* A key that interrupted nothing does not hide the work that follows. */
TEST(activity_end__work_at_once_after_a_useless_key_is_work)
{
	fuser_start(&fuser_generic);
	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	fuser_say(SOURCE_PROGRAM_STATUS, COMPLETED);
	assert_int_equal(fuser_after(400), COMPLETED);
	activity_interrupted(fuser.a, fuser.now);
	assert_int_equal(fuser_at(0), COMPLETED);
	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	assert_int_equal(fuser_at(0), WORKING);
	fuser_say(SOURCE_PROGRAM_STATUS, COMPLETED);
	assert_int_equal(fuser_after(400), COMPLETED);
}

/* No menu of it was ever seen: output does not restore it; another question
 * replaces it. */
TEST(activity_end__what_it_asked_before_is_past)
{
	struct reading asks = {
	    .source = SOURCE_HOOK, .activity = WAITING, .question = true};

	fuser_say(SOURCE_HOOK, WORKING);
	activity_reading(fuser.a, &asks, fuser.now);
	assert_int_equal(fuser_at(0), WAITING);
	activity_interrupted(fuser.a, fuser.now);
	fuser_say(SOURCE_TITLE, IDLE);
	assert_int_equal(fuser_after(2900), WAITING);
	assert_int_equal(fuser_after(500), IDLE);
	activity_output(fuser.a, fuser.now);
	assert_int_equal(fuser_at(0), IDLE);
	assert_int_equal(fuser_after(100), IDLE);
	activity_sent(fuser.a, fuser.now); /* nor does the next message */
	assert_int_not_equal(fuser_at(0), WAITING);
	fuser_say(SOURCE_TITLE, WORKING);
	assert_int_not_equal(fuser_after(100), WAITING);
	activity_reading(fuser.a, &asks, fuser.now);
	assert_int_equal(fuser_at(0), WAITING);
}

TEST(activity_end__failed_until_the_next_work)
{
	struct reading r = {.source = SOURCE_HOOK,
			    .activity = COMPLETED,
			    .failed = true,
			    .detail = "API error"};

	fuser_say(SOURCE_HOOK, WORKING);
	fuser_at(0);
	activity_reading(fuser.a, &r, fuser.now);
	assert_int_equal(fuser_after(400), COMPLETED);
	assert_true(fuser.v.failed);
	assert_string_equal(fuser.v.detail, "API error");
	fuser_say(SOURCE_HOOK, WORKING);
	fuser_at(0);
	fuser_say(SOURCE_HOOK, COMPLETED);
	fuser_after(400);
	assert_false(fuser.v.failed);
}

/* Gemini CLI's hook reports the end; its screen shows a moment later that it
 * failed. */
TEST(activity_end__the_screen_gives_the_reason)
{
	struct reading end = {
	    .source = SOURCE_HOOK, .activity = COMPLETED, .turn_ended = true};
	struct screen_state look = {.reading = {.source = SOURCE_SCREEN,
						.activity = COMPLETED,
						.failed = true,
						.detail = "API error"},
				    .composer = COMPOSER_EMPTY};

	fuser_say(SOURCE_HOOK, WORKING);
	fuser_at(0);
	activity_reading(fuser.a, &end, fuser.now);
	assert_int_equal(fuser_after(10), COMPLETED);
	assert_false(fuser.v.failed);
	activity_screen(fuser.a, &look, fuser.now);
	assert_int_equal(fuser_at(100), COMPLETED);
	assert_true(fuser.v.failed);
	assert_string_equal(fuser.v.detail, "API error");
}

/* Seen with Gemini CLI at a load of 13: its hooks told of the next turn and of
 * its end while the screen was still that of the turn that had failed. */
TEST(activity_end__an_old_error_is_not_this_turns)
{
	struct screen_state look = {.reading = {.source = SOURCE_SCREEN,
						.activity = COMPLETED,
						.failed = true,
						.detail = "API error"},
				    .composer = COMPOSER_EMPTY};
	struct adapter telling = fuser_hooked;

	fuser_start(&telling);
	telling.reports_unanswered = true;
	activity_screen(fuser.a, &look, fuser.now);
	fuser_at(500);
	activity_sent(fuser.a, fuser.now);
	fuser_say(SOURCE_HOOK, WORKING);
	fuser_at(10);
	fuser_ends(SOURCE_HOOK);
	fuser_after(60000);
	assert_false(fuser.v.failed);
}

/* Esc had closed a menu. Interrupted turns have no end by this hook. */
TEST(activity_end__a_key_may_interrupt_nothing)
{
	struct screen_state window = {.reading = {.source = SOURCE_SCREEN,
						  .activity = WAITING,
						  .question = true}};
	struct screen_state rest = {
	    .reading = {.source = SOURCE_SCREEN, .activity = IDLE},
	    .composer = COMPOSER_EMPTY};

	fuser_say(SOURCE_HOOK, WORKING);
	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	fuser_at(1000);
	activity_interrupted(fuser.a, fuser.now);
	assert_int_equal(fuser_at(500), WORKING);
	fuser_ends(SOURCE_HOOK);
	assert_int_equal(fuser_at(10), COMPLETED);
	fuser_say(SOURCE_PROGRAM_STATUS, COMPLETED);
	assert_int_equal(fuser_after(400), COMPLETED);
	assert_string_equal(fuser.v.detail, "");

	/* Help, a picker: no turn is running beside it. */
	activity_screen(fuser.a, &window, fuser.now);
	assert_int_equal(fuser_at(100), WAITING);
	activity_interrupted(fuser.a, fuser.now);
	activity_screen(fuser.a, &rest, fuser.now);
	assert_int_equal(fuser_after(400), COMPLETED);

	/* Codex's limit: the turn has failed, which no hook reports. */
	fuser_say(SOURCE_HOOK, WORKING);
	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	fuser_at(1000);
	fuser_say(SOURCE_PROGRAM_STATUS, IDLE);
	activity_screen(fuser.a, &window, fuser.now);
	assert_int_equal(fuser_at(100), WAITING);
	activity_interrupted(fuser.a, fuser.now);
	activity_screen(fuser.a, &rest, fuser.now);
	assert_int_equal(fuser_after(400), COMPLETED);
}

/* In tmux keys do not pass afw; all other ends are reported by a hook. */
TEST(activity_end__an_end_that_no_hook_told_is_none)
{
	struct adapter claude = fuser_hooked;
	struct reading begins = {
	    .source = SOURCE_HOOK, .activity = WORKING, .turn_started = true};

	fuser_start(&claude);
	claude.reports_ends = true;
	for (int told = 0; told < 2; told++) {
		activity_reading(fuser.a, &begins, fuser.now);
		fuser_say(SOURCE_TITLE, WORKING);
		assert_int_equal(fuser_at(1000), WORKING);
		if (told)
			fuser_ends(SOURCE_HOOK);
		fuser_say(SOURCE_TITLE, IDLE);
		assert_int_equal(fuser_after(2000), told ? COMPLETED : IDLE);
		assert_string_equal(fuser.v.detail, told ? "" : "interrupted");
		activity_sent(fuser.a, fuser.now);
		assert_int_equal(fuser_at(10), IDLE);
		assert_string_equal(fuser.v.detail, "");
	}
}

TEST(activity_end__the_screen_tells_of_an_interrupt)
{
	struct screen_state cut = {.reading = {.source = SOURCE_SCREEN,
					       .activity = IDLE,
					       .interrupted = true}};
	struct reading begins = {
	    .source = SOURCE_HOOK, .activity = WORKING, .turn_started = true};
	struct reading ends = {.source = SOURCE_HOOK,
			       .activity = COMPLETED,
			       .turn_ended = true,
			       .unanswered = true};

	activity_reading(fuser.a, &begins, fuser.now);
	fuser_at(1000);
	activity_reading(fuser.a, &ends, fuser.now);
	assert_int_equal(fuser_at(20), WORKING);
	activity_screen(fuser.a, &cut, fuser.now);
	assert_int_equal(fuser_at(0), IDLE);
	assert_string_equal(fuser.v.detail, "interrupted");
	assert_false(fuser.v.failed);
	/* It is not the next turn's. */
	activity_reading(fuser.a, &begins, fuser.now);
	activity_screen(fuser.a, &cut, fuser.now);
	fuser_at(1000);
	fuser_ends(SOURCE_HOOK);
	assert_int_equal(fuser_after(400), COMPLETED);
}

/* Hooks of the user run after ours has reported the turn's end. */
TEST(activity_end__hooks_may_run_after_a_told_end)
{
	static const enum source shows[] = {SOURCE_PROGRAM_STATUS, SOURCE_TITLE,
					    SOURCE_SCREEN};
	static const enum activity rest[] = {COMPLETED, IDLE, IDLE};

	for (int i = 0; i < 3; i++) {
		fuser_start(&fuser_hooked);
		fuser_say(SOURCE_HOOK, WORKING);
		if (shows[i] == SOURCE_TITLE)
			fuser_say(SOURCE_SCREEN, IDLE); /* no row for it */
		fuser_say(shows[i], WORKING);
		fuser_at(1000);
		fuser_ends(SOURCE_HOOK);
		assert_int_equal(fuser_at(0), COMPLETED);
		assert_true(fuser.v.hooks_running);
		assert_int_equal(fuser_after(1499), COMPLETED);
		assert_true(fuser.v.hooks_running);
		assert_int_equal(fuser_after(10), WORKING);
		fuser_say(shows[i], rest[i]);
		assert_int_equal(fuser_after(400), COMPLETED);
		assert_false(fuser.v.hooks_running);
	}
}
