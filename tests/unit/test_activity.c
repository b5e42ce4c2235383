/* test_activity.c - which signal is believed, and when. */
#include "base/json.h"
#include "support_fuser.h"
#include "support_unit.h"
#include "supervisor/activity.h"

static bool dummy_title(const char *title, struct reading *out)
{
	return false;
}

/* Claude Code's OSC 7501 says "working" while its Stop hooks run. */
TEST(activity__an_end_outranks_an_older_status)
{
	struct fuser f = fuser_new(&fuser_hooked);
	struct reading asks = {.activity = WAITING, .question = true};

	fuser_say(&f, SOURCE_PROGRAM_STATUS, WORKING);
	fuser_at(&f, 1000);
	fuser_ends(&f, SOURCE_HOOK);
	assert_int_equal(fuser_at(&f, 0), COMPLETED);
	assert_int_equal(f.v.source, SOURCE_HOOK);
	/* But it may go on: a hook of the user's forbade it to stop. */
	assert_int_equal(fuser_after(&f, 1499), COMPLETED);
	assert_int_equal(fuser_after(&f, 1), WORKING);

	/* It asks, and its menu is still to be drawn. */
	asks.source = SOURCE_HOOK;
	activity_reading(f.a, &asks, f.now);
	/* For how long, shows when it prints again. */
	assert_int_equal(fuser_after(&f, 9999), WAITING);
	activity_reading(f.a, &asks, f.now);
	fuser_at(&f, 10);
	activity_output(f.a, f.now);
	assert_int_equal(fuser_after(&f, 889), WAITING);
	/* Another hook allowed it. */
	assert_int_equal(fuser_after(&f, 1), WORKING);
	asks.late = true;
	activity_reading(f.a, &asks, f.now);
	assert_int_equal(fuser_at(&f, 0), WORKING);

	/* It tells of each turn's end, and queued ones follow. */
	activity_sent(f.a, f.now);
	fuser_at(&f, 1000);
	fuser_ends(&f, SOURCE_HOOK);
	assert_int_equal(fuser_after(&f, 60000), WORKING);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, COMPLETED);
	assert_int_equal(fuser_after(&f, 300), COMPLETED);
	activity_destroy(f.a);
}

/* A menu on the screen, and a hook that says that one is to come. */
static const struct look menu = {.reading = {.source = SOURCE_SCREEN,
					     .activity = WAITING,
					     .question = true,
					     .detail = "run rm?"}};
static const struct reading asks = {
    .source = SOURCE_HOOK, .activity = WAITING, .question = true};

/* Gemini CLI tells by hook that it asks, not that Esc denied it. */
TEST(activity__what_a_hook_asked_leaves_the_screen)
{
	struct fuser f = fuser_new(&fuser_hooked);

	activity_reading(f.a, &asks, f.now);
	fuser_say(&f, SOURCE_TITLE, WAITING);
	assert_int_equal(fuser_at(&f, 50), WAITING);
	fuser_say(&f, SOURCE_TITLE, ACTIVITY_NONE);
	activity_look(f.a, &menu, f.now);
	assert_int_equal(fuser_after(&f, 649), WAITING);
	assert_true(f.v.hook_may_answer);
	fuser_after(&f, 1);
	assert_false(f.v.hook_may_answer);
	fuser_say(&f, SOURCE_TITLE, WAITING);
	assert_int_equal(fuser_at(&f, 5000), WAITING);
	fuser_say(&f, SOURCE_TITLE, IDLE);
	assert_int_equal(fuser_at(&f, 10), WAITING);
	fuser_say(&f, SOURCE_SCREEN, IDLE);
	assert_int_equal(fuser_after(&f, 300), IDLE);
	/* The key that answered it was no message. */
	activity_typed(f.a, f.now);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, WORKING);
	fuser_at(&f, 0);
	activity_reading(f.a, &asks, f.now);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, WAITING);
	assert_int_equal(fuser_at(&f, 100), WAITING);
	activity_typed(f.a, f.now);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, WORKING);
	fuser_at(&f, 100);
	fuser_ends(&f, SOURCE_PROGRAM_STATUS);
	assert_int_equal(fuser_at(&f, 0), COMPLETED);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, ACTIVITY_NONE);
	/* The next one's hook comes before its menu is drawn. */
	activity_reading(f.a, &asks, f.now);
	assert_int_equal(fuser_at(&f, 10), WAITING);
	activity_destroy(f.a);
}

/* Claude Code's menu is on the screen before any hook has told of it: one may
 * take it away again. */
TEST(activity__a_menu_may_be_a_hooks_to_answer)
{
	struct fuser f = fuser_new(&fuser_hooked);

	/* At a start there is no hook that could. */
	activity_look(f.a, &menu, f.now);
	assert_int_equal(fuser_at(&f, 0), WAITING);
	assert_false(f.v.hook_may_answer);
	fuser_say(&f, SOURCE_HOOK, WORKING);
	fuser_say(&f, SOURCE_SCREEN, WORKING);
	assert_int_equal(fuser_at(&f, 100), WORKING);
	activity_look(f.a, &menu, f.now);
	assert_int_equal(fuser_at(&f, 0), WAITING);
	assert_true(f.v.hook_may_answer);
	assert_int_equal(fuser_after(&f, 699), WAITING);
	assert_true(f.v.hook_may_answer);
	assert_int_equal(fuser_after(&f, 1), WAITING);
	assert_false(f.v.hook_may_answer);
	activity_destroy(f.a);
}

/* Gemini CLI's menu came 1.5 s after its hook, on a machine with much to do. */
TEST(activity__a_question_waits_for_its_menu)
{
	struct fuser f = fuser_new(&fuser_hooked);

	fuser_say(&f, SOURCE_TITLE, WORKING);
	assert_int_equal(fuser_at(&f, 1000), WORKING);
	activity_reading(f.a, &asks, f.now);
	assert_int_equal(fuser_at(&f, 0), WAITING);
	/* Another hook may answer it before anybody is asked. */
	assert_true(f.v.hook_may_answer);
	assert_int_equal(fuser_after(&f, 2999), WAITING);
	assert_true(f.v.hook_may_answer);
	assert_int_equal(fuser_after(&f, 1), WAITING);
	assert_false(f.v.hook_may_answer);
	/* Nothing was said since: the title is about the time before. */
	assert_int_equal(fuser_after(&f, 6999), WAITING);
	/* No menu ever came. */
	assert_int_equal(fuser_after(&f, 2), WORKING);

	/* A title that is newer than the question knows better. */
	activity_reading(f.a, &asks, f.now);
	assert_int_equal(fuser_at(&f, 10), WAITING);
	fuser_say(&f, SOURCE_TITLE, WORKING);
	assert_int_equal(fuser_after(&f, 700), WORKING);
	activity_destroy(f.a);
}

/* Codex says by OSC 7501 and title that it works while it sets itself up. */
TEST(activity__a_composer_at_the_start_is_idle)
{
	struct adapter noisy = fuser_hooked;
	struct look empty = {.reading = {.source = SOURCE_SCREEN},
			     .composer = COMPOSER_EMPTY};
	struct fuser f;

	noisy.quiet_start = false;
	f = fuser_new(&noisy);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, WORKING);
	assert_int_equal(fuser_at(&f, 0), WORKING);
	activity_look(f.a, &empty, f.now);
	assert_int_equal(fuser_after(&f, 300), IDLE);
	assert_true(f.v.starting_up);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, IDLE);
	assert_int_equal(fuser_at(&f, 0), IDLE);
	assert_false(f.v.starting_up);
	/* From the first message on its word counts, and the composer, which
	 * is there in a turn as well, says nothing. */
	activity_sent(f.a, f.now);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, WORKING);
	activity_look(f.a, &empty, f.now);
	assert_int_equal(fuser_after(&f, 60000), WORKING);
	activity_destroy(f.a);

	/* At once, where nothing else was said before. */
	noisy.title_says = dummy_title;
	f = fuser_new(&noisy);
	activity_look(f.a, &empty, f.now);
	assert_int_equal(fuser_at(&f, 0), IDLE);
	assert_true(f.v.starting_up);
	fuser_say(&f, SOURCE_TITLE, IDLE);
	assert_int_equal(fuser_at(&f, 0), IDLE);
	assert_false(f.v.starting_up);
	activity_destroy(f.a);
}

TEST(activity__a_menu_on_the_screen_overrides_all)
{
	struct fuser f = fuser_new(&fuser_hooked);

	fuser_say(&f, SOURCE_HOOK, WORKING);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, WORKING);
	fuser_at(&f, 0);
	activity_look(f.a, &menu, f.now);
	assert_int_equal(fuser_at(&f, 0), WAITING);
	assert_true(f.v.question);
	assert_string_equal(f.v.detail, "run rm?");
	fuser_say(&f, SOURCE_PROGRAM_STATUS, IDLE); /* even what is fresher */
	fuser_say(&f, SOURCE_HOOK, COMPLETED);
	assert_int_equal(fuser_after(&f, 60000), WAITING);
	assert_true(f.v.question);
	activity_destroy(f.a);
}

TEST(activity__a_stale_hook_is_overruled)
{
	struct fuser f = fuser_new(&fuser_hooked);

	fuser_say(&f, SOURCE_HOOK, WORKING);
	fuser_say(&f, SOURCE_SCREEN, WORKING);
	fuser_at(&f, 1000);
	fuser_say(&f, SOURCE_SCREEN, IDLE); /* Esc: no end hook */
	assert_int_equal(fuser_at(&f, 0), WORKING);
	assert_int_equal(f.v.next_ms, 1501);
	assert_int_equal(fuser_after(&f, 1500), WORKING);
	assert_int_equal(fuser_after(&f, 301), COMPLETED);
	assert_int_equal(f.v.source, SOURCE_SCREEN);

	/* A new event gives the hook its full credit again. */
	fuser_say(&f, SOURCE_HOOK, WORKING);
	assert_int_equal(fuser_after(&f, 1400), WORKING);
	fuser_say(&f, SOURCE_HOOK, WORKING);
	assert_int_equal(fuser_after(&f, 1400), WORKING);
	activity_destroy(f.a);
}

TEST(activity__the_title_may_back_a_hook)
{
	struct fuser f = fuser_new(&fuser_hooked);

	fuser_say(&f, SOURCE_HOOK, COMPLETED);
	fuser_say(&f, SOURCE_TITLE, IDLE);
	fuser_say(&f, SOURCE_SCREEN, WORKING); /* text that stays behind */
	assert_int_equal(fuser_after(&f, 60000), COMPLETED);
	fuser_say(&f, SOURCE_TITLE, ACTIVITY_NONE);
	assert_int_equal(fuser_after(&f, 2000), WORKING);
	activity_destroy(f.a);
}

TEST(activity__program_status_is_believed_longer)
{
	struct fuser f = fuser_new(&fuser_hooked);

	fuser_say(&f, SOURCE_PROGRAM_STATUS, WORKING);
	fuser_say(&f, SOURCE_HOOK, COMPLETED);
	fuser_say(&f, SOURCE_SCREEN, IDLE);
	assert_int_equal(fuser_after(&f, 4000), WORKING);
	assert_int_equal(fuser_after(&f, 400), COMPLETED);
	/* state=clear withdraws it */
	fuser_say(&f, SOURCE_PROGRAM_STATUS, WORKING);
	assert_int_equal(fuser_at(&f, 0), WORKING);
	fuser_say(&f, SOURCE_PROGRAM_STATUS, ACTIVITY_NONE);
	assert_int_equal(fuser_after(&f, 301), COMPLETED);
	assert_int_equal(f.v.source, SOURCE_HOOK);
	activity_destroy(f.a);
}

TEST(activity__a_late_notification_is_over_soon)
{
	struct fuser f = fuser_new(&fuser_hooked);

	fuser_say(&f, SOURCE_HOOK, WORKING);
	fuser_say(&f, SOURCE_SCREEN, WORKING);
	fuser_at(&f, 3000);
	fuser_say(&f, SOURCE_HOOK, WAITING); /* answered long ago */
	assert_int_equal(fuser_at(&f, 0), WAITING);
	assert_int_equal(fuser_after(&f, 701), WORKING);
	activity_destroy(f.a);
}

TEST(activity__the_screen_knows_of_thought)
{
	struct fuser f = fuser_new(&fuser_hooked);

	fuser_say(&f, SOURCE_HOOK, WORKING);
	fuser_say(&f, SOURCE_SCREEN, THINKING);
	assert_int_equal(fuser_at(&f, 0), THINKING);
	assert_int_equal(f.v.source, SOURCE_HOOK);
	fuser_say(&f, SOURCE_SCREEN, WORKING);
	assert_int_equal(fuser_at(&f, 0), WORKING);
	activity_destroy(f.a);
}

TEST(activity__explains_itself)
{
	struct fuser f = fuser_new(&fuser_hooked);
	cJSON *o = cJSON_CreateObject(), *signals, *hook;

	fuser_say(&f, SOURCE_HOOK, WORKING);
	fuser_say(&f, SOURCE_SCREEN, WORKING);
	fuser_at(&f, 1000);
	fuser_say(&f, SOURCE_SCREEN, IDLE);
	fuser_after(&f, 2000);
	activity_explain(f.a, f.now, o);
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
	activity_destroy(f.a);
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
		struct fuser f =
		    fuser_new(round % 2 ? &fuser_hooked : &fuser_generic);
		bool asked = false;

		for (int i = 0; i < 60; i++) {
			struct look l = {0};
			struct verdict v;
			unsigned kind = roll(&seed, 9);

			l.reading.source = (enum source)roll(&seed, 4);
			l.reading.activity = (enum activity)roll(&seed, 6);
			l.reading.question =
			    l.reading.activity == WAITING && roll(&seed, 2);
			if (kind < 5 && l.reading.source == SOURCE_SCREEN) {
				activity_look(f.a, &l, f.now);
				asked = l.reading.question;
			} else if (kind < 5) {
				activity_reading(f.a, &l.reading, f.now);
			} else if (kind == 5) {
				activity_output(f.a, f.now);
			} else if (kind == 6) {
				activity_process(f.a, roll(&seed, 100000),
						 (int)roll(&seed, 3), f.now);
			} else if (kind == 7) {
				activity_interrupted(f.a, f.now);
			} else {
				activity_sent(f.a, f.now);
			}
			fuser_at(&f, 0);
			if (asked)
				assert_true(f.v.question &&
					    f.v.activity == WAITING);
			v = f.v;
			for (int k = 0; k < 5; k++) {
				int64_t left =
				    v.next_ms < 0 ? 500 : v.next_ms - 1;

				if (left <= 0)
					break;
				fuser_at(&f,
					 1 + roll(&seed, (unsigned)left) / 2);
				assert_int_equal(f.v.activity, v.activity);
				assert_int_equal(f.v.question, v.question);
				assert_int_equal(f.v.source, v.source);
				v = f.v;
			}
			f.now += roll(&seed, 3000);
		}
		activity_destroy(f.a);
	}
}
