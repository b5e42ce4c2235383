/* test_activity_turn.c - what begins a turn, and when it is over. */
#include "adapters/registry.h"
#include "support_fuser.h"
#include "support_unit.h"
#include "supervisor/activity.h"

TEST(activity_turn__busy_at_once_rest_held)
{
	struct fuser f = fuser_new(&fuser_hooked);

	assert_int_equal(fuser_at(&f, 0), ACTIVITY_NONE);
	fuser_say(&f, SOURCE_HOOK, WORKING);
	assert_int_equal(fuser_at(&f, 0), WORKING);
	assert_int_equal(f.v.source, SOURCE_HOOK);
	fuser_say(&f, SOURCE_HOOK, COMPLETED);
	assert_int_equal(fuser_at(&f, 0), WORKING);
	assert_int_equal(f.v.next_ms, 300);
	assert_int_equal(fuser_at(&f, 299), WORKING);
	assert_int_equal(fuser_at(&f, 1), COMPLETED);
	assert_int_equal(f.v.since, f.now);
	assert_int_equal(f.v.next_ms, -1);
	activity_destroy(f.a);
}

/* A search, a picker or a pager that a person has opened. */
TEST(activity_turn__a_rest_needs_a_composer)
{
	struct look open = {.composer = COMPOSER_ABSENT};
	struct look composer = {.composer = COMPOSER_EMPTY};
	struct fuser f = fuser_new(&fuser_hooked);

	activity_look(f.a, &open, f.now); /* while it starts */
	fuser_say(&f, SOURCE_HOOK, IDLE);
	assert_int_equal(fuser_after(&f, 1000), IDLE);
	activity_look(f.a, &composer, f.now);
	activity_sent(f.a, f.now);
	fuser_say(&f, SOURCE_HOOK, WORKING);
	fuser_after(&f, 1000);
	fuser_ends(&f, SOURCE_HOOK);
	assert_int_equal(fuser_after(&f, 1000), COMPLETED);
	activity_look(f.a, &open, f.now);
	assert_int_equal(fuser_after(&f, 99), COMPLETED);
	assert_int_equal(fuser_after(&f, 1), WAITING);
	assert_int_equal(f.v.source, SOURCE_SCREEN);
	assert_false(f.v.question);
	/* Its Escape interrupts no turn. */
	activity_interrupted(f.a, f.now);
	activity_look(f.a, &composer, f.now);
	assert_int_equal(fuser_at(&f, 0), COMPLETED);
	/* Nothing at all is no dialog. */
	open.blank = true;
	activity_look(f.a, &open, f.now);
	assert_int_equal(fuser_after(&f, 1000), COMPLETED);
	activity_destroy(f.a);
}

TEST(activity_turn__what_is_queued_goes_on)
{
	struct look look = {.composer = COMPOSER_EMPTY, .queued = true};
	struct fuser f = fuser_new(&fuser_hooked);

	fuser_say(&f, SOURCE_HOOK, WORKING);
	fuser_after(&f, 1000);
	activity_look(f.a, &look, f.now);
	fuser_ends(&f, SOURCE_HOOK);
	assert_int_equal(fuser_after(&f, 5000), WORKING);
	assert_string_equal(f.v.detail, "messages wait in its own queue");
	/* What stays there for longer is none. */
	assert_int_equal(fuser_after(&f, 6000), COMPLETED);
	activity_destroy(f.a);
}

TEST(activity_turn__gaps_between_tools_do_not_flicker)
{
	struct fuser f = fuser_new(&fuser_hooked);

	fuser_say(&f, SOURCE_PROGRAM_STATUS, WORKING);
	fuser_at(&f, 0);
	for (int i = 0; i < 20; i++) {
		fuser_say(&f, SOURCE_PROGRAM_STATUS, IDLE);
		assert_int_equal(fuser_after(&f, 250), WORKING);
		fuser_say(&f, SOURCE_PROGRAM_STATUS, WORKING);
		assert_int_equal(fuser_after(&f, 100), WORKING);
	}
	activity_destroy(f.a);
}

TEST(activity_turn__an_end_in_words_is_not_held)
{
	static const enum source said[] = {SOURCE_HOOK, SOURCE_PROGRAM_STATUS};

	for (int i = 0; i < 2; i++) {
		struct fuser f = fuser_new(&fuser_hooked);

		fuser_say(&f, said[i], WORKING);
		fuser_at(&f, 1000);
		fuser_ends(&f, said[i]);
		assert_int_equal(fuser_at(&f, 0), COMPLETED);
		/* With something typed meanwhile the next may follow. */
		fuser_say(&f, said[i], WORKING);
		fuser_at(&f, 0);
		fuser_at(&f, 1000);
		activity_typed(f.a, f.now);
		fuser_at(&f, 1000);
		fuser_ends(&f, said[i]);
		assert_int_equal(fuser_after(&f, 299), WORKING);
		assert_int_equal(fuser_after(&f, 1), COMPLETED);
		activity_destroy(f.a);
	}
}

/* Gemini CLI's hook comes before its error is on the screen. */
TEST(activity_turn__an_end_without_an_answer_is_held)
{
	struct reading r = {.source = SOURCE_HOOK,
			    .activity = COMPLETED,
			    .turn_ended = true,
			    .unanswered = true};
	struct adapter gemini = fuser_hooked;
	struct fuser f = fuser_new(&gemini);

	gemini.ends_interrupted = true;
	fuser_say(&f, SOURCE_HOOK, WORKING);
	fuser_at(&f, 1000);
	activity_reading(f.a, &r, f.now);
	assert_int_equal(fuser_after(&f, 299), WORKING);
	assert_int_equal(fuser_after(&f, 1), COMPLETED);
	assert_true(f.v.failed);

	fuser_say(&f, SOURCE_HOOK, WORKING);
	assert_int_equal(fuser_at(&f, 1000), WORKING);
	assert_false(f.v.failed);
	activity_interrupted(f.a, f.now);
	activity_reading(f.a, &r, f.now);
	assert_int_equal(fuser_at(&f, 0), IDLE);
	assert_false(f.v.failed);
	activity_destroy(f.a);
}

TEST(activity_turn__completed_stays_until_a_message)
{
	struct fuser f = fuser_new(&fuser_hooked);

	fuser_say(&f, SOURCE_HOOK, IDLE);
	assert_int_equal(fuser_after(&f, 400), IDLE); /* nothing done yet */
	fuser_say(&f, SOURCE_HOOK, WORKING);
	fuser_say(&f, SOURCE_HOOK, IDLE); /* both before anybody asks */
	assert_int_equal(fuser_after(&f, 400), COMPLETED);
	assert_int_equal(fuser_after(&f, 3600000), COMPLETED);
	activity_sent(f.a, f.now);
	assert_int_equal(fuser_at(&f, 0), IDLE);
	fuser_say(&f, SOURCE_HOOK, WORKING);
	assert_int_equal(fuser_at(&f, 0), WORKING);
	fuser_say(&f, SOURCE_HOOK, COMPLETED);
	assert_int_equal(fuser_after(&f, 400), COMPLETED);
	activity_sent(f.a, f.now + 1);
	/* Its word is of the turn before. */
	assert_int_equal(fuser_at(&f, 2), IDLE);
	activity_destroy(f.a);
}

TEST(activity_turn__a_turn_too_short_to_see_completes)
{
	struct fuser f = fuser_new(&fuser_generic);

	fuser_say(&f, SOURCE_SCREEN, IDLE);
	assert_int_equal(fuser_after(&f, 400), IDLE);
	activity_sent(f.a, f.now);
	assert_int_equal(fuser_after(&f, 5000), IDLE); /* nothing came of it */
	activity_sent(f.a, f.now);
	activity_output(f.a, f.now + 1);
	assert_int_equal(fuser_after(&f, 1999), IDLE);
	assert_int_equal(fuser_after(&f, 1), COMPLETED);
	activity_destroy(f.a);
}

/* Codex says by OSC 7501 that it works while it sets itself up. */
TEST(activity_turn__work_at_a_start_completes_nothing)
{
	struct fuser f = fuser_new(&fuser_generic);

	fuser_say(&f, SOURCE_TITLE, WORKING);
	assert_int_equal(fuser_at(&f, 100), WORKING);
	fuser_say(&f, SOURCE_TITLE, IDLE);
	assert_int_equal(fuser_after(&f, 3000), IDLE);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, IDLE);
	fuser_at(&f, 10);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, WORKING);
	assert_int_equal(fuser_at(&f, 100), WORKING);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, IDLE);
	assert_int_equal(fuser_after(&f, 3000), IDLE);
	activity_sent(f.a, f.now);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, WORKING);
	fuser_at(&f, 100);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, IDLE);
	assert_int_equal(fuser_after(&f, 3000), COMPLETED);
	activity_destroy(f.a);
}

TEST(activity_turn__a_turn_that_was_typed_completes)
{
	struct fuser f = fuser_new(&fuser_generic);

	fuser_say(&f, SOURCE_TITLE, IDLE);
	assert_int_equal(fuser_after(&f, 1000), IDLE);
	activity_typed(f.a, f.now);
	fuser_say(&f, SOURCE_TITLE, WORKING);
	assert_int_equal(fuser_at(&f, 100), WORKING);
	fuser_say(&f, SOURCE_TITLE, IDLE);
	assert_int_equal(fuser_after(&f, 3000), COMPLETED);
	activity_destroy(f.a);
}

/* Seen with Claude Code: its hook tells of the message 13 ms before OSC 7501
 * says "working"; the old "idle" must not make that a completed turn. */
TEST(activity_turn__a_turn_that_begins_is_not_completed)
{
	struct fuser f = fuser_new(&fuser_hooked);
	struct reading taken = {
	    .source = SOURCE_HOOK, .activity = WORKING, .turn_started = true};

	fuser_say(&f, SOURCE_PROGRAM_STATUS, IDLE);
	assert_int_equal(fuser_after(&f, 2000), IDLE);
	activity_sent(f.a, f.now);
	assert_int_equal(fuser_at(&f, 0), IDLE);
	activity_reading(f.a, &taken, f.now);
	assert_int_equal(fuser_at(&f, 0), WORKING);
	assert_int_equal(fuser_at(&f, 13), WORKING);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, WORKING);
	assert_int_equal(fuser_at(&f, 0), WORKING);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, COMPLETED);
	assert_int_equal(fuser_after(&f, 1000), COMPLETED);
	activity_destroy(f.a);
}

/* Claude Code goes on saying "working" by OSC 7501 while a background agent
 * works, and begins a turn of its own when that has ended. */
TEST(activity_turn__an_old_screen_cuts_no_new_turn)
{
	struct fuser f = fuser_new(&adapter_claude);
	struct reading taken = {
	    .source = SOURCE_HOOK, .activity = WORKING, .turn_started = true};
	struct look rests = {.reading.activity = IDLE,
			     .composer = COMPOSER_EMPTY};

	activity_sent(f.a, f.now);
	activity_reading(f.a, &taken, f.now);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, WORKING);
	assert_int_equal(fuser_at(&f, 100), WORKING);
	fuser_ends(&f, SOURCE_HOOK);
	fuser_at(&f, 10);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, WORKING);
	activity_look(f.a, &rests, f.now);
	assert_int_equal(fuser_after(&f, 6000), COMPLETED);
	activity_reading(f.a, &taken, f.now);
	assert_int_equal(fuser_at(&f, 0), WORKING);
	assert_int_equal(fuser_at(&f, 500), WORKING);
	/* But for so long it does not rest. */
	assert_int_equal(fuser_after(&f, 6000), IDLE);
	activity_destroy(f.a);
}

TEST(activity_turn__a_screen_from_before_it_is_believed_late)
{
	struct look rest = {
	    .reading = {.source = SOURCE_SCREEN, .activity = IDLE},
	    .composer = COMPOSER_EMPTY};
	struct look busy = {
	    .reading = {.source = SOURCE_SCREEN, .activity = WORKING}};
	struct reading begins = {
	    .source = SOURCE_HOOK, .activity = WORKING, .turn_started = true};
	struct fuser f = fuser_new(&fuser_hooked);

	activity_look(f.a, &rest, f.now);
	fuser_at(&f, 1000);
	activity_reading(f.a, &begins, f.now);
	assert_int_equal(fuser_after(&f, 5000), WORKING);
	activity_look(f.a, &busy, f.now);
	fuser_at(&f, 100);
	activity_look(f.a, &rest, f.now); /* one that has moved */
	assert_int_equal(fuser_after(&f, 2000), COMPLETED);
	activity_reading(f.a, &begins, f.now);
	assert_int_equal(fuser_after(&f, 9000), WORKING);
	assert_int_equal(fuser_after(&f, 2000), COMPLETED);
	activity_destroy(f.a);
}
