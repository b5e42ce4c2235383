/* test_activity.c - which signal is used, and when. */
#include "base/json.h"
#include "support_fuser.h"
#include "support_unit.h"
#include "activity/activity.h"

FIXTURE(fuser_begin, fuser_end)

/* Claude Code's OSC 7501 says "working" while its Stop hooks run. */
TEST(activity__an_end_outranks_an_older_status)
{
	struct reading asks = {.activity = WAITING, .question = true};

	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	fuser_at(1000);
	fuser_ends(SOURCE_HOOK);
	assert_int_equal(fuser_at(0), COMPLETED);
	assert_int_equal(fuser.v.source, SOURCE_HOOK);
	/* But it may continue: a hook of the user did not allow it to stop. */
	assert_int_equal(fuser_after(1499), COMPLETED);
	assert_int_equal(fuser_after(1), WORKING);

	/* It asks, and its menu is still to be drawn. */
	asks.source = SOURCE_HOOK;
	activity_reading(fuser.a, &asks, fuser.now);
	/* For how long, shows when it prints again. */
	assert_int_equal(fuser_after(9999), WAITING);
	activity_reading(fuser.a, &asks, fuser.now);
	fuser_at(10);
	activity_output(fuser.a, fuser.now);
	assert_int_equal(fuser_after(889), WAITING);
	/* Another hook allowed it. */
	assert_int_equal(fuser_after(1), WORKING);
	asks.late = true;
	activity_reading(fuser.a, &asks, fuser.now);
	assert_int_equal(fuser_at(0), WORKING);

	/* It reports the end of each turn, and queued messages follow. */
	activity_sent(fuser.a, fuser.now);
	fuser_at(1000);
	fuser_ends(SOURCE_HOOK);
	assert_int_equal(fuser_after(60000), WORKING);
	fuser_say(SOURCE_PROGRAM_STATUS, COMPLETED);
	assert_int_equal(fuser_after(300), COMPLETED);
}

/* A menu on the screen, and a hook that says that one is to come. */
static const struct screen_state menu = {.reading = {.source = SOURCE_SCREEN,
						     .activity = WAITING,
						     .question = true,
						     .detail = "run rm?"}};
static const struct reading asks = {
    .source = SOURCE_HOOK, .activity = WAITING, .question = true};

/* Gemini CLI reports by hook that it asks, but not that Esc denied it. */
TEST(activity__what_a_hook_asked_leaves_the_screen)
{
	activity_reading(fuser.a, &asks, fuser.now);
	fuser_say(SOURCE_TITLE, WAITING);
	assert_int_equal(fuser_at(50), WAITING);
	fuser_say(SOURCE_TITLE, ACTIVITY_NONE);
	activity_screen(fuser.a, &menu, fuser.now);
	assert_int_equal(fuser_after(649), WAITING);
	assert_true(fuser.v.hook_may_answer);
	fuser_after(1);
	assert_false(fuser.v.hook_may_answer);
	fuser_say(SOURCE_TITLE, WAITING);
	assert_int_equal(fuser_at(5000), WAITING);
	fuser_say(SOURCE_TITLE, IDLE);
	assert_int_equal(fuser_at(10), WAITING);
	fuser_say(SOURCE_SCREEN, IDLE);
	assert_int_equal(fuser_after(300), IDLE);
	/* The key that answered it was not a message. */
	activity_typed(fuser.a, fuser.now);
	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	fuser_at(0);
	activity_reading(fuser.a, &asks, fuser.now);
	fuser_say(SOURCE_PROGRAM_STATUS, WAITING);
	assert_int_equal(fuser_at(100), WAITING);
	activity_typed(fuser.a, fuser.now);
	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	fuser_at(100);
	fuser_ends(SOURCE_PROGRAM_STATUS);
	assert_int_equal(fuser_at(0), COMPLETED);
	fuser_say(SOURCE_PROGRAM_STATUS, ACTIVITY_NONE);
	/* The next one's hook comes before its menu is drawn. */
	activity_reading(fuser.a, &asks, fuser.now);
	assert_int_equal(fuser_at(10), WAITING);
}

/* Claude Code's menu is on the screen before a hook has reported it: a later
 * hook may withdraw it. */
TEST(activity__a_menu_may_be_a_hooks_to_answer)
{
	/* At a start there is no hook that could. */
	activity_screen(fuser.a, &menu, fuser.now);
	assert_int_equal(fuser_at(0), WAITING);
	assert_false(fuser.v.hook_may_answer);
	fuser_say(SOURCE_HOOK, WORKING);
	fuser_say(SOURCE_SCREEN, WORKING);
	assert_int_equal(fuser_at(100), WORKING);
	activity_screen(fuser.a, &menu, fuser.now);
	assert_int_equal(fuser_at(0), WAITING);
	assert_true(fuser.v.hook_may_answer);
	assert_int_equal(fuser_after(699), WAITING);
	assert_true(fuser.v.hook_may_answer);
	assert_int_equal(fuser_after(1), WAITING);
	assert_false(fuser.v.hook_may_answer);
}

/* Gemini CLI's menu came 1.5 s after its hook, on a machine with much to do. */
TEST(activity__a_question_waits_for_its_menu)
{
	fuser_say(SOURCE_TITLE, WORKING);
	assert_int_equal(fuser_at(1000), WORKING);
	activity_reading(fuser.a, &asks, fuser.now);
	assert_int_equal(fuser_at(0), WAITING);
	/* Another hook may answer it before anybody is asked. */
	assert_true(fuser.v.hook_may_answer);
	assert_int_equal(fuser_after(2999), WAITING);
	assert_true(fuser.v.hook_may_answer);
	assert_int_equal(fuser_after(1), WAITING);
	assert_false(fuser.v.hook_may_answer);
	/* Nothing was reported since: the title is about the time before. */
	assert_int_equal(fuser_after(6999), WAITING);
	/* No menu ever came. */
	assert_int_equal(fuser_after(2), WORKING);

	/* A title that is newer than the question knows better. */
	activity_reading(fuser.a, &asks, fuser.now);
	assert_int_equal(fuser_at(10), WAITING);
	fuser_say(SOURCE_TITLE, WORKING);
	assert_int_equal(fuser_after(700), WORKING);
}

/* Codex says by OSC 7501 and title that it works while it sets itself up. */
TEST(activity__a_composer_at_the_start_is_idle)
{
	struct adapter noisy = fuser_hooked;
	struct screen_state empty = {.reading = {.source = SOURCE_SCREEN},
				     .composer = COMPOSER_EMPTY};

	noisy.quiet_start = false;
	fuser_start(&noisy);
	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	assert_int_equal(fuser_at(0), WORKING);
	activity_screen(fuser.a, &empty, fuser.now);
	assert_int_equal(fuser_after(300), IDLE);
	assert_true(fuser.v.starting_up);
	fuser_say(SOURCE_PROGRAM_STATUS, IDLE);
	assert_int_equal(fuser_at(0), IDLE);
	assert_false(fuser.v.starting_up);
	/* From the first message on its title is used; the composer, which is
	 * shown during a turn as well, means nothing. */
	activity_sent(fuser.a, fuser.now);
	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	activity_screen(fuser.a, &empty, fuser.now);
	assert_int_equal(fuser_after(60000), WORKING);

	/* At once, if nothing else was reported before. */
	noisy.reports_title = true;
	fuser_start(&noisy);
	activity_screen(fuser.a, &empty, fuser.now);
	assert_int_equal(fuser_at(0), IDLE);
	assert_true(fuser.v.starting_up);
	fuser_say(SOURCE_TITLE, IDLE);
	assert_int_equal(fuser_at(0), IDLE);
	assert_false(fuser.v.starting_up);
}

TEST(activity__a_menu_on_the_screen_overrides_all)
{
	fuser_say(SOURCE_HOOK, WORKING);
	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	fuser_at(0);
	activity_screen(fuser.a, &menu, fuser.now);
	assert_int_equal(fuser_at(0), WAITING);
	assert_true(fuser.v.question);
	assert_string_equal(fuser.v.detail, "run rm?");
	fuser_say(SOURCE_PROGRAM_STATUS, IDLE); /* even what is fresher */
	fuser_say(SOURCE_HOOK, COMPLETED);
	assert_int_equal(fuser_after(60000), WAITING);
	assert_true(fuser.v.question);
}

TEST(activity__a_stale_hook_is_overruled)
{
	fuser_say(SOURCE_HOOK, WORKING);
	fuser_say(SOURCE_SCREEN, WORKING);
	fuser_at(1000);
	fuser_say(SOURCE_SCREEN, IDLE); /* Esc: no end hook */
	assert_int_equal(fuser_at(0), WORKING);
	assert_int_equal(fuser.v.next_ms, 1501);
	assert_int_equal(fuser_after(1500), WORKING);
	assert_int_equal(fuser_after(301), COMPLETED);
	assert_int_equal(fuser.v.source, SOURCE_SCREEN);

	/* A new event gives the hook its full credit again. */
	fuser_say(SOURCE_HOOK, WORKING);
	assert_int_equal(fuser_after(1400), WORKING);
	fuser_say(SOURCE_HOOK, WORKING);
	assert_int_equal(fuser_after(1400), WORKING);
}

TEST(activity__the_title_may_back_a_hook)
{
	fuser_say(SOURCE_HOOK, COMPLETED);
	fuser_say(SOURCE_TITLE, IDLE);
	fuser_say(SOURCE_SCREEN, WORKING); /* text that stays behind */
	assert_int_equal(fuser_after(60000), COMPLETED);
	fuser_say(SOURCE_TITLE, ACTIVITY_NONE);
	assert_int_equal(fuser_after(2000), WORKING);
}

TEST(activity__program_status_is_believed_longer)
{
	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	fuser_say(SOURCE_HOOK, COMPLETED);
	fuser_say(SOURCE_SCREEN, IDLE);
	assert_int_equal(fuser_after(4000), WORKING);
	assert_int_equal(fuser_after(400), COMPLETED);
	/* state=clear withdraws it */
	fuser_say(SOURCE_PROGRAM_STATUS, WORKING);
	assert_int_equal(fuser_at(0), WORKING);
	fuser_say(SOURCE_PROGRAM_STATUS, ACTIVITY_NONE);
	assert_int_equal(fuser_after(301), COMPLETED);
	assert_int_equal(fuser.v.source, SOURCE_HOOK);
}

TEST(activity__a_late_notification_is_over_soon)
{
	fuser_say(SOURCE_HOOK, WORKING);
	fuser_say(SOURCE_SCREEN, WORKING);
	fuser_at(3000);
	fuser_say(SOURCE_HOOK, WAITING); /* answered long ago */
	assert_int_equal(fuser_at(0), WAITING);
	assert_int_equal(fuser_after(701), WORKING);
}

TEST(activity__the_screen_knows_of_thought)
{
	fuser_say(SOURCE_HOOK, WORKING);
	fuser_say(SOURCE_SCREEN, THINKING);
	assert_int_equal(fuser_at(0), THINKING);
	assert_int_equal(fuser.v.source, SOURCE_HOOK);
	fuser_say(SOURCE_SCREEN, WORKING);
	assert_int_equal(fuser_at(0), WORKING);
}

TEST(activity__explains_itself)
{
	cJSON *o = cJSON_CreateObject(), *signals, *hook;

	fuser_say(SOURCE_HOOK, WORKING);
	fuser_say(SOURCE_SCREEN, WORKING);
	fuser_at(1000);
	fuser_say(SOURCE_SCREEN, IDLE);
	fuser_after(2000);
	activity_explain(fuser.a, fuser.now, o);
	signals = cJSON_GetObjectItem(o, "signals");
	assert_int_equal(cJSON_GetArraySize(signals), 3);
	hook = cJSON_GetArrayItem(signals, 0);
	assert_string_equal(json_str(hook, "source"), "hook");
	assert_string_equal(json_str(hook, "activity"), "working");
	assert_int_equal(json_int(hook, "age_ms", -1), 3000);
	assert_false(json_bool(hook, "believed", true));
	assert_non_null(strstr(json_str(hook, "why"), "overruled"));
	assert_true(json_bool(cJSON_GetArrayItem(signals, 1), "believed", 0));
	assert_non_null(strstr(json_str(o, "explanation"), "completed"));
	assert_non_null(strstr(json_str(o, "explanation"), "screen"));
	cJSON_Delete(o);
}

static unsigned roll(unsigned *seed, unsigned n)
{
	*seed = *seed * 1103515245u + 12345u;
	return (*seed >> 16) % n;
}

/*
 * Whatever comes in: between now and next_ms time alone changes nothing, and
 * a question on the screen is never left unreported.
 */
TEST(activity__next_ms_is_when_time_matters)
{
	unsigned seed = 1;

	for (int round = 0; round < 300; round++) {
		bool asked = false;

		fuser_start(round % 2 ? &fuser_hooked : &fuser_generic);
		for (int i = 0; i < 60; i++) {
			struct screen_state l = {0};
			struct verdict v;
			unsigned kind = roll(&seed, 9);

			l.reading.source = (enum source)roll(&seed, 4);
			l.reading.activity = (enum activity)roll(&seed, 6);
			l.reading.question =
			    l.reading.activity == WAITING && roll(&seed, 2);
			if (kind < 5 && l.reading.source == SOURCE_SCREEN) {
				activity_screen(fuser.a, &l, fuser.now);
				asked = l.reading.question;
			} else if (kind < 5) {
				activity_reading(fuser.a, &l.reading,
						 fuser.now);
			} else if (kind == 5) {
				activity_output(fuser.a, fuser.now);
			} else if (kind == 6) {
				activity_process(fuser.a, roll(&seed, 100000),
						 (int)roll(&seed, 3),
						 fuser.now);
			} else if (kind == 7) {
				activity_interrupted(fuser.a, fuser.now);
			} else {
				activity_sent(fuser.a, fuser.now);
			}
			fuser_at(0);
			if (asked)
				assert_true(fuser.v.question &&
					    fuser.v.activity == WAITING);
			v = fuser.v;
			for (int k = 0; k < 5; k++) {
				int64_t left =
				    v.next_ms < 0 ? 500 : v.next_ms - 1;

				if (left <= 0)
					break;
				fuser_at(1 + roll(&seed, (unsigned)left) / 2);
				assert_int_equal(fuser.v.activity, v.activity);
				assert_int_equal(fuser.v.question, v.question);
				assert_int_equal(fuser.v.source, v.source);
				v = fuser.v;
			}
			fuser.now += roll(&seed, 3000);
		}
	}
}
