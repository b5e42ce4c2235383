/* test_activity_turn.c - what begins a turn, and when it is over. */
#include "adapters/registry.h"
#include "support_fuser.h"
#include "support_unit.h"
#include "activity/activity.h"

FIXTURE(fuser_begin, fuser_end)

TEST(activity_turn__busy_at_once_rest_held)
{
	assert_int_equal(fuser_at(0), ACTIVITY_NONE);
	fuser_say(SOURCE_HOOK, WORKING);
	assert_int_equal(fuser_at(0), WORKING);
	assert_int_equal(fuser.v.source, SOURCE_HOOK);
	fuser_say(SOURCE_HOOK, COMPLETED);
	assert_int_equal(fuser_at(0), WORKING);
	assert_int_equal(fuser.v.next_ms, 300);
	assert_int_equal(fuser_at(299), WORKING);
	assert_int_equal(fuser_at(1), COMPLETED);
	assert_int_equal(fuser.v.since, fuser.now);
	assert_int_equal(fuser.v.next_ms, -1);
}

/* A search, a picker or a pager that a person has opened. */
TEST(activity_turn__a_rest_needs_a_composer)
{
	struct screen_state open = {.composer = COMPOSER_ABSENT};
	struct screen_state composer = {.composer = COMPOSER_EMPTY};

	activity_screen(fuser.a, &open, fuser.now); /* while it starts */
	fuser_say(SOURCE_HOOK, IDLE);
	assert_int_equal(fuser_after(1000), ACTIVITY_NONE);
	activity_screen(fuser.a, &composer, fuser.now);
	activity_sent(fuser.a, fuser.now);
	fuser_say(SOURCE_HOOK, WORKING);
	fuser_after(1000);
	fuser_ends(SOURCE_HOOK);
	assert_int_equal(fuser_after(1000), COMPLETED);
	activity_screen(fuser.a, &open, fuser.now);
	assert_int_equal(fuser_after(99), COMPLETED);
	assert_int_equal(fuser_after(1), WAITING);
	assert_int_equal(fuser.v.source, SOURCE_SCREEN);
	assert_false(fuser.v.question);
	/* Its Escape interrupts no turn. */
	activity_interrupted(fuser.a, fuser.now);
	activity_screen(fuser.a, &composer, fuser.now);
	assert_int_equal(fuser_at(0), COMPLETED);
	/* An empty screen is not a dialog, but only for a while. */
	open.blank = true;
	activity_screen(fuser.a, &open, fuser.now);
	assert_int_equal(fuser_after(29999), COMPLETED);
	assert_int_equal(fuser_after(1), WAITING);
	assert_string_equal(
	    fuser.v.detail,
	    "its input field has not been on the screen for 30 s");
}

/* OpenCode's screen stayed blank for minutes; by then a hook has reported that
 * it is idle, or nothing was reported at all. */
TEST(activity_turn__without_a_composer_it_is_starting)
{
	struct screen_state none = {.composer = COMPOSER_ABSENT, .blank = true};
	struct screen_state composer = {.composer = COMPOSER_EMPTY};

	for (int told = 0; told < 2; told++) {
		fuser_start(&fuser_hooked);
		activity_screen(fuser.a, &none, fuser.now);
		if (told)
			fuser_say(SOURCE_HOOK, IDLE);
		assert_int_equal(fuser_after(15000), ACTIVITY_NONE);
		none.blank = false; /* its name is there, and no composer */
		activity_screen(fuser.a, &none, fuser.now);
		assert_int_equal(fuser_after(14999), ACTIVITY_NONE);
		assert_int_equal(fuser_after(1), WAITING);
		assert_false(fuser.v.question);
		assert_non_null(strstr(fuser.v.detail, "has not been on"));
		activity_screen(fuser.a, &composer, fuser.now);
		assert_int_equal(fuser_after(300), IDLE);
		none.blank = true;
	}
}

/* After a dialog at its start was answered, it does not wait for the user. */
TEST(activity_turn__after_a_dialog_it_starts_on)
{
	struct screen_state none = {.composer = COMPOSER_ABSENT};
	struct screen_state asks = {.composer = COMPOSER_ABSENT,
				    .reading = {.source = SOURCE_SCREEN,
						.activity = WAITING,
						.question = true}};

	activity_screen(fuser.a, &asks, fuser.now);
	assert_int_equal(fuser_after(100), WAITING);
	fuser_say(SOURCE_HOOK, IDLE);
	activity_screen(fuser.a, &none, fuser.now);
	assert_int_equal(fuser_after(100), ACTIVITY_NONE);
}

/* After a restart nothing was sent yet. */
TEST(activity_turn__what_is_open_after_a_start_is_waiting)
{
	struct screen_state composer = {.composer = COMPOSER_EMPTY};
	struct screen_state open = {
	    .composer = COMPOSER_ABSENT,
	    .overlay = true,
	    .reading = {.detail = "Side from main thread"}};

	activity_screen(fuser.a, &composer, fuser.now);
	fuser_say(SOURCE_HOOK, IDLE);
	assert_int_equal(fuser_after(1000), IDLE);
	activity_screen(fuser.a, &open, fuser.now);
	assert_int_equal(fuser_after(100), WAITING);
	assert_string_equal(fuser.v.detail, "something is open in place of "
					    "its input field: Side from "
					    "main thread");
}

/* A harness that is idle after a turn; half_drawn: it draws without updates. */
static void rest_without_composer(bool half_drawn)
{
	struct screen_state open = {.composer = COMPOSER_ABSENT,
				    .half_drawn = half_drawn};

	activity_typed(fuser.a, fuser.now);
	fuser_say(SOURCE_PROGRAM_STATUS, IDLE);
	assert_int_equal(fuser_after(1000), IDLE);
	activity_output(fuser.a, fuser.now);
	activity_screen(fuser.a, &open, fuser.now);
}

/* Seen with the demo agent beside sixteen loops: it took afw's Enter, and drew
 * what followed a third of a second later. */
TEST(activity_turn__a_message_under_way_opens_nothing)
{
	activity_sent(fuser.a, fuser.now);
	rest_without_composer(false);
	assert_int_equal(fuser_after(5000), IDLE);
	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	assert_int_equal(fuser_after(1000), WORKING);
	fuser_say(SOURCE_PROGRAM_STATUS, IDLE);
	assert_int_equal(fuser_after(300), WAITING);

	/* A command of the harness itself, after which no work follows. */
	activity_sent(fuser.a, fuser.now);
	assert_int_equal(fuser_after(5000), IDLE);
	activity_settled(fuser.a);
	assert_int_equal(fuser_at(0), WAITING);
}

/* It erased its composer before it said that the turn was over. */
TEST(activity_turn__a_composer_may_come_after_the_end)
{
	struct screen_state open = {.composer = COMPOSER_ABSENT};

	fuser_say(SOURCE_HOOK, WORKING);
	activity_typed(fuser.a, fuser.now);
	activity_screen(fuser.a, &open, fuser.now);
	assert_int_equal(fuser_after(1000), WORKING);
	fuser_ends(SOURCE_HOOK);
	assert_int_equal(fuser_after(99), COMPLETED);
	assert_int_equal(fuser_after(1), WAITING);
}

TEST(activity_turn__a_half_drawn_screen_opens_nothing)
{
	rest_without_composer(true);
	assert_int_equal(fuser_after(1999), IDLE);
	activity_output(fuser.a, fuser.now);
	assert_int_equal(fuser_after(1999), IDLE);
	assert_int_equal(fuser_after(1), WAITING);
}

TEST(activity_turn__an_enter_may_begin_a_turn)
{
	rest_without_composer(false);
	activity_entered(fuser.a, fuser.now);
	assert_int_equal(fuser_after(299), IDLE);
	assert_int_equal(fuser_after(1), WAITING);
}

TEST(activity_turn__what_is_queued_goes_on)
{
	struct screen_state look = {.composer = COMPOSER_EMPTY, .queued = true};

	fuser_say(SOURCE_HOOK, WORKING);
	fuser_after(1000);
	activity_screen(fuser.a, &look, fuser.now);
	fuser_ends(SOURCE_HOOK);
	assert_int_equal(fuser_after(5000), WORKING);
	assert_string_equal(fuser.v.detail, "its own queue has messages");
	/* If it stays there longer, it is not an update. */
	assert_int_equal(fuser_after(6000), COMPLETED);
}

TEST(activity_turn__gaps_between_tools_do_not_flicker)
{
	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	fuser_at(0);
	for (int i = 0; i < 20; i++) {
		fuser_say(SOURCE_PROGRAM_STATUS, IDLE);
		assert_int_equal(fuser_after(250), WORKING);
		fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
		assert_int_equal(fuser_after(100), WORKING);
	}
}

TEST(activity_turn__an_end_in_words_is_not_held)
{
	static const enum source said[] = {SOURCE_HOOK, SOURCE_PROGRAM_STATUS};

	for (int i = 0; i < 2; i++) {
		fuser_start(&fuser_hooked);
		fuser_say(said[i], WORKING);
		fuser_at(1000);
		fuser_ends(said[i]);
		assert_int_equal(fuser_at(0), COMPLETED);
		/* With something typed meanwhile the next may follow. */
		fuser_say(said[i], WORKING);
		fuser_at(0);
		fuser_at(1000);
		activity_typed(fuser.a, fuser.now);
		fuser_at(1000);
		fuser_ends(said[i]);
		assert_int_equal(fuser_after(299), WORKING);
		assert_int_equal(fuser_after(1), COMPLETED);
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

	fuser_start(&gemini);
	gemini.ends_interrupted = true;
	fuser_say(SOURCE_HOOK, WORKING);
	fuser_at(1000);
	activity_reading(fuser.a, &r, fuser.now);
	assert_int_equal(fuser_after(299), WORKING);
	assert_int_equal(fuser_after(1), COMPLETED);
	assert_true(fuser.v.failed);

	fuser_say(SOURCE_HOOK, WORKING);
	assert_int_equal(fuser_at(1000), WORKING);
	assert_false(fuser.v.failed);
	activity_interrupted(fuser.a, fuser.now);
	activity_reading(fuser.a, &r, fuser.now);
	assert_int_equal(fuser_at(0), IDLE);
	assert_false(fuser.v.failed);
}

TEST(activity_turn__completed_stays_until_a_message)
{
	fuser_say(SOURCE_HOOK, IDLE);
	assert_int_equal(fuser_after(400), IDLE); /* nothing done yet */
	fuser_say(SOURCE_HOOK, WORKING);
	fuser_say(SOURCE_HOOK, IDLE); /* both before anybody asks */
	assert_int_equal(fuser_after(400), COMPLETED);
	assert_int_equal(fuser_after(3600000), COMPLETED);
	activity_sent(fuser.a, fuser.now);
	assert_int_equal(fuser_at(0), IDLE);
	fuser_say(SOURCE_HOOK, WORKING);
	assert_int_equal(fuser_at(0), WORKING);
	fuser_say(SOURCE_HOOK, COMPLETED);
	assert_int_equal(fuser_after(400), COMPLETED);
	activity_sent(fuser.a, fuser.now + 1);
	/* Its report is about the turn before. */
	assert_int_equal(fuser_at(2), IDLE);
}

TEST(activity_turn__a_turn_too_short_to_see_completes)
{
	fuser_start(&fuser_generic);
	fuser_say(SOURCE_SCREEN, IDLE);
	assert_int_equal(fuser_after(400), IDLE);
	activity_sent(fuser.a, fuser.now);
	assert_int_equal(fuser_after(5000), IDLE); /* nothing followed */
	activity_sent(fuser.a, fuser.now);
	activity_output(fuser.a, fuser.now + 1);
	assert_int_equal(fuser_after(1999), IDLE);
	assert_int_equal(fuser_after(1), COMPLETED);
	/* A harness with hooks reports by them, however late. */
	fuser_start(&adapter_opencode);
	fuser_say(SOURCE_SCREEN, IDLE);
	activity_sent(fuser.a, fuser.now);
	activity_output(fuser.a, fuser.now + 1);
	assert_int_not_equal(fuser_after(5000), COMPLETED);
}

/* Codex says by OSC 7501 that it works while it sets itself up. */
TEST(activity_turn__work_at_a_start_completes_nothing)
{
	fuser_start(&fuser_generic);
	fuser_say(SOURCE_TITLE, WORKING);
	assert_int_equal(fuser_at(100), WORKING);
	fuser_say(SOURCE_TITLE, IDLE);
	assert_int_equal(fuser_after(3000), IDLE);
	fuser_say(SOURCE_PROGRAM_STATUS, IDLE);
	fuser_at(10);
	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	assert_int_equal(fuser_at(100), WORKING);
	fuser_say(SOURCE_PROGRAM_STATUS, IDLE);
	assert_int_equal(fuser_after(3000), IDLE);
	activity_sent(fuser.a, fuser.now);
	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	fuser_at(100);
	fuser_say(SOURCE_PROGRAM_STATUS, IDLE);
	assert_int_equal(fuser_after(3000), COMPLETED);
}

TEST(activity_turn__a_turn_that_was_typed_completes)
{
	fuser_start(&fuser_generic);
	fuser_say(SOURCE_TITLE, IDLE);
	assert_int_equal(fuser_after(1000), IDLE);
	activity_typed(fuser.a, fuser.now);
	fuser_say(SOURCE_TITLE, WORKING);
	assert_int_equal(fuser_at(100), WORKING);
	fuser_say(SOURCE_TITLE, IDLE);
	assert_int_equal(fuser_after(3000), COMPLETED);
}

/* Measured with Claude Code: its hook reports the message 13 ms before OSC 7501
 * reports "working"; the old "idle" must not turn that into a completed turn.
 */
TEST(activity_turn__a_turn_that_begins_is_not_completed)
{
	struct reading taken = {
	    .source = SOURCE_HOOK, .activity = WORKING, .turn_started = true};

	fuser_say(SOURCE_PROGRAM_STATUS, IDLE);
	assert_int_equal(fuser_after(2000), IDLE);
	activity_sent(fuser.a, fuser.now);
	assert_int_equal(fuser_at(0), IDLE);
	activity_reading(fuser.a, &taken, fuser.now);
	assert_int_equal(fuser_at(0), WORKING);
	assert_int_equal(fuser_at(13), WORKING);
	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	assert_int_equal(fuser_at(0), WORKING);
	fuser_say(SOURCE_PROGRAM_STATUS, COMPLETED);
	assert_int_equal(fuser_after(1000), COMPLETED);
}

/* Claude Code goes on saying "working" by OSC 7501 while a background agent
 * works, and begins a turn of its own when that has ended. */
TEST(activity_turn__an_old_screen_cuts_no_new_turn)
{
	struct reading taken = {
	    .source = SOURCE_HOOK, .activity = WORKING, .turn_started = true};
	struct screen_state rests = {.reading.activity = IDLE,
				     .composer = COMPOSER_EMPTY};

	fuser_start(&adapter_claude);
	activity_sent(fuser.a, fuser.now);
	activity_reading(fuser.a, &taken, fuser.now);
	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	assert_int_equal(fuser_at(100), WORKING);
	fuser_ends(SOURCE_HOOK);
	fuser_at(10);
	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	activity_screen(fuser.a, &rests, fuser.now);
	assert_int_equal(fuser_after(6000), COMPLETED);
	activity_reading(fuser.a, &taken, fuser.now);
	assert_int_equal(fuser_at(0), WORKING);
	assert_int_equal(fuser_at(500), WORKING);
	/* But for that long it is not idle. */
	assert_int_equal(fuser_after(6000), IDLE);
}

TEST(activity_turn__a_screen_from_before_it_is_believed_late)
{
	struct screen_state rest = {
	    .reading = {.source = SOURCE_SCREEN, .activity = IDLE},
	    .composer = COMPOSER_EMPTY};
	struct screen_state busy = {
	    .reading = {.source = SOURCE_SCREEN, .activity = WORKING}};
	struct reading begins = {
	    .source = SOURCE_HOOK, .activity = WORKING, .turn_started = true};

	activity_screen(fuser.a, &rest, fuser.now);
	fuser_at(1000);
	activity_reading(fuser.a, &begins, fuser.now);
	assert_int_equal(fuser_after(5000), WORKING);
	activity_screen(fuser.a, &busy, fuser.now);
	fuser_at(100);
	activity_screen(fuser.a, &rest, fuser.now); /* one that has moved */
	assert_int_equal(fuser_after(2000), COMPLETED);
	activity_reading(fuser.a, &begins, fuser.now);
	assert_int_equal(fuser_after(9000), WORKING);
	assert_int_equal(fuser_after(2000), COMPLETED);
}
