/* test_activity.c - which signal is believed, and when. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/json.h"
#include "supervisor/activity.h"

#define WORKING	  ACTIVITY_WORKING
#define THINKING  ACTIVITY_THINKING
#define WAITING	  ACTIVITY_WAITING_FOR_INPUT
#define COMPLETED ACTIVITY_COMPLETED
#define IDLE	  ACTIVITY_IDLE

static bool dummy_hook(const char *event, const cJSON *payload,
		       struct reading *out)
{
	(void)event;
	(void)payload;
	(void)out;
	return false;
}

static const struct adapter hooked = {.name = "hooked", .hook = dummy_hook};
static const struct adapter generic = {.name = "generic"};

struct world {
	struct activity_fuser *a;
	struct verdict v;
	int64_t now;
};

static struct world world_new(const struct adapter *adapter)
{
	return (struct world){.a = activity_create(adapter), .now = 5000};
}

static void say(struct world *w, enum source s, enum activity a)
{
	struct look look = {.reading = {.source = s, .activity = a}};

	if (s == SOURCE_SCREEN)
		activity_look(w->a, &look, w->now);
	else
		activity_reading(w->a, &look.reading, w->now);
}

static enum activity at(struct world *w, int64_t ms)
{
	w->now += ms;
	activity_verdict(w->a, w->now, &w->v);
	return w->v.activity;
}

/* Lets time pass as the supervisor would: asking again after next_ms. */
static enum activity after(struct world *w, int64_t ms)
{
	for (int64_t end = w->now + ms; at(w, 0), w->now < end;) {
		int64_t step = w->v.next_ms > 0 ? w->v.next_ms : 1;

		if (w->v.next_ms < 0 || w->now + step > end)
			step = end - w->now;
		w->now += step;
	}
	return w->v.activity;
}

static void samples(struct world *w, int64_t ms, int64_t *cpu, int64_t rate,
		    int children)
{
	for (int64_t end = w->now + ms; w->now < end; w->now += 500) {
		activity_process(w->a, *cpu += rate, children, w->now);
		at(w, 0);
	}
}

static void test_activity__busy_at_once_rest_held(void **state)
{
	struct world w = world_new(&hooked);

	(void)state;
	assert_int_equal(at(&w, 0), ACTIVITY_NONE);
	say(&w, SOURCE_HOOK, WORKING);
	assert_int_equal(at(&w, 0), WORKING);
	assert_int_equal(w.v.source, SOURCE_HOOK);
	say(&w, SOURCE_HOOK, COMPLETED);
	assert_int_equal(at(&w, 0), WORKING);
	assert_int_equal(w.v.next_ms, 300);
	assert_int_equal(at(&w, 299), WORKING);
	assert_int_equal(at(&w, 1), COMPLETED);
	assert_int_equal(w.v.since, w.now);
	assert_int_equal(w.v.next_ms, -1);
	activity_destroy(w.a);
}

static void test_activity__gaps_between_tools_do_not_flicker(void **state)
{
	struct world w = world_new(&hooked);

	(void)state;
	say(&w, SOURCE_PROGRAM_STATUS, WORKING);
	at(&w, 0);
	for (int i = 0; i < 20; i++) {
		say(&w, SOURCE_PROGRAM_STATUS, IDLE);
		assert_int_equal(after(&w, 250), WORKING);
		say(&w, SOURCE_PROGRAM_STATUS, WORKING);
		assert_int_equal(after(&w, 100), WORKING);
	}
	activity_destroy(w.a);
}

static void test_activity__a_menu_on_the_screen_overrides_all(void **state)
{
	struct world w = world_new(&hooked);
	struct look menu = {.reading = {.source = SOURCE_SCREEN,
					.activity = WAITING,
					.question = true,
					.detail = "run rm?"}};

	(void)state;
	say(&w, SOURCE_HOOK, WORKING);
	say(&w, SOURCE_PROGRAM_STATUS, WORKING);
	at(&w, 0);
	activity_look(w.a, &menu, w.now);
	assert_int_equal(at(&w, 0), WAITING);
	assert_true(w.v.question);
	assert_string_equal(w.v.detail, "run rm?");
	say(&w, SOURCE_PROGRAM_STATUS, IDLE); /* even what is fresher */
	say(&w, SOURCE_HOOK, COMPLETED);
	assert_int_equal(after(&w, 60000), WAITING);
	assert_true(w.v.question);
	activity_destroy(w.a);
}

static void test_activity__a_stale_hook_is_overruled(void **state)
{
	struct world w = world_new(&hooked);

	(void)state;
	say(&w, SOURCE_HOOK, WORKING);
	say(&w, SOURCE_SCREEN, WORKING);
	at(&w, 1000);
	say(&w, SOURCE_SCREEN, IDLE); /* Esc: no end hook */
	assert_int_equal(at(&w, 0), WORKING);
	assert_int_equal(w.v.next_ms, 1501);
	assert_int_equal(after(&w, 1500), WORKING);
	assert_int_equal(after(&w, 301), COMPLETED);
	assert_int_equal(w.v.source, SOURCE_SCREEN);

	/* A new event gives the hook its full credit again. */
	say(&w, SOURCE_HOOK, WORKING);
	assert_int_equal(after(&w, 1400), WORKING);
	say(&w, SOURCE_HOOK, WORKING);
	assert_int_equal(after(&w, 1400), WORKING);
	activity_destroy(w.a);
}

static void test_activity__the_title_may_back_a_hook(void **state)
{
	struct world w = world_new(&hooked);

	(void)state;
	say(&w, SOURCE_HOOK, COMPLETED);
	say(&w, SOURCE_TITLE, IDLE);
	say(&w, SOURCE_SCREEN, WORKING); /* text that stays behind */
	assert_int_equal(after(&w, 60000), COMPLETED);
	say(&w, SOURCE_TITLE, ACTIVITY_NONE);
	assert_int_equal(after(&w, 2000), WORKING);
	activity_destroy(w.a);
}

static void test_activity__program_status_is_believed_longer(void **state)
{
	struct world w = world_new(&hooked);

	(void)state;
	say(&w, SOURCE_PROGRAM_STATUS, WORKING);
	say(&w, SOURCE_HOOK, COMPLETED);
	say(&w, SOURCE_SCREEN, IDLE);
	assert_int_equal(after(&w, 4000), WORKING);
	assert_int_equal(after(&w, 400), COMPLETED);
	/* state=clear withdraws it */
	say(&w, SOURCE_PROGRAM_STATUS, WORKING);
	assert_int_equal(at(&w, 0), WORKING);
	say(&w, SOURCE_PROGRAM_STATUS, ACTIVITY_NONE);
	assert_int_equal(after(&w, 301), COMPLETED);
	assert_int_equal(w.v.source, SOURCE_HOOK);
	activity_destroy(w.a);
}

static void test_activity__a_late_notification_is_over_soon(void **state)
{
	struct world w = world_new(&hooked);

	(void)state;
	say(&w, SOURCE_HOOK, WORKING);
	say(&w, SOURCE_SCREEN, WORKING);
	at(&w, 3000);
	say(&w, SOURCE_HOOK, WAITING); /* answered long ago */
	assert_int_equal(at(&w, 0), WAITING);
	assert_int_equal(after(&w, 701), WORKING);
	activity_destroy(w.a);
}

static void test_activity__completed_stays_until_a_message(void **state)
{
	struct world w = world_new(&hooked);

	(void)state;
	say(&w, SOURCE_HOOK, IDLE);
	assert_int_equal(after(&w, 400), IDLE); /* nothing done yet */
	say(&w, SOURCE_HOOK, WORKING);
	say(&w, SOURCE_HOOK, IDLE); /* both before anybody asks */
	assert_int_equal(after(&w, 400), COMPLETED);
	assert_int_equal(after(&w, 3600000), COMPLETED);
	activity_sent(w.a, w.now);
	assert_int_equal(at(&w, 0), IDLE);
	say(&w, SOURCE_HOOK, WORKING);
	assert_int_equal(at(&w, 0), WORKING);
	say(&w, SOURCE_HOOK, COMPLETED);
	assert_int_equal(after(&w, 400), COMPLETED);
	activity_sent(w.a, w.now + 1);
	assert_int_equal(at(&w, 2), IDLE); /* its word is of the turn before */
	activity_destroy(w.a);
}

static void test_activity__a_turn_too_short_to_see_completes(void **state)
{
	struct world w = world_new(&generic);

	(void)state;
	say(&w, SOURCE_SCREEN, IDLE);
	assert_int_equal(after(&w, 400), IDLE);
	activity_sent(w.a, w.now);
	assert_int_equal(after(&w, 5000), IDLE); /* nothing came of it */
	activity_sent(w.a, w.now);
	activity_output(w.a, w.now + 1);
	assert_int_equal(after(&w, 1999), IDLE);
	assert_int_equal(after(&w, 1), COMPLETED);
	activity_destroy(w.a);
}

/* Seen with Claude Code: its hook tells of the message 13 ms before OSC 7501
 * says "working"; the old "idle" must not make that a completed turn. */
/* Codex says by OSC 7501 that it works while it sets itself up. */
static void test_activity__work_at_a_start_completes_nothing(void **state)
{
	struct world w = world_new(&generic);

	(void)state;
	say(&w, SOURCE_TITLE, WORKING);
	assert_int_equal(at(&w, 100), WORKING);
	say(&w, SOURCE_TITLE, IDLE);
	assert_int_equal(after(&w, 3000), IDLE);
	say(&w, SOURCE_PROGRAM_STATUS, IDLE);
	at(&w, 10);
	say(&w, SOURCE_PROGRAM_STATUS, WORKING);
	assert_int_equal(at(&w, 100), WORKING);
	say(&w, SOURCE_PROGRAM_STATUS, IDLE);
	assert_int_equal(after(&w, 3000), IDLE);
	activity_sent(w.a, w.now);
	say(&w, SOURCE_PROGRAM_STATUS, WORKING);
	at(&w, 100);
	say(&w, SOURCE_PROGRAM_STATUS, IDLE);
	assert_int_equal(after(&w, 3000), COMPLETED);
	activity_destroy(w.a);
}

static void test_activity__a_turn_that_was_typed_completes(void **state)
{
	struct world w = world_new(&generic);

	(void)state;
	say(&w, SOURCE_TITLE, IDLE);
	assert_int_equal(after(&w, 1000), IDLE);
	activity_typed(w.a);
	say(&w, SOURCE_TITLE, WORKING);
	assert_int_equal(at(&w, 100), WORKING);
	say(&w, SOURCE_TITLE, IDLE);
	assert_int_equal(after(&w, 3000), COMPLETED);
	activity_destroy(w.a);
}

static void test_activity__a_turn_that_begins_is_not_completed(void **state)
{
	struct world w = world_new(&hooked);
	struct reading taken = {
	    .source = SOURCE_HOOK, .activity = WORKING, .turn_started = true};

	(void)state;
	say(&w, SOURCE_PROGRAM_STATUS, IDLE);
	assert_int_equal(after(&w, 2000), IDLE);
	activity_sent(w.a, w.now);
	assert_int_equal(at(&w, 0), IDLE);
	activity_reading(w.a, &taken, w.now);
	assert_int_equal(at(&w, 0), WORKING);
	assert_int_equal(at(&w, 13), WORKING);
	say(&w, SOURCE_PROGRAM_STATUS, WORKING);
	assert_int_equal(at(&w, 0), WORKING);
	say(&w, SOURCE_PROGRAM_STATUS, COMPLETED);
	assert_int_equal(after(&w, 1000), COMPLETED);
	activity_destroy(w.a);
}

static void test_activity__after_an_interrupt_it_is_idle(void **state)
{
	struct world w = world_new(&hooked);

	(void)state;
	say(&w, SOURCE_HOOK, WORKING);
	at(&w, 500);
	activity_interrupted(w.a, w.now);
	say(&w, SOURCE_HOOK, COMPLETED); /* Gemini tells so even then */
	assert_int_equal(after(&w, 400), IDLE);
	assert_string_equal(w.v.detail, "interrupted");

	/* Only hooks, and none for the interrupt: after three quiet seconds */
	say(&w, SOURCE_HOOK, WORKING);
	assert_int_equal(at(&w, 0), WORKING);
	activity_interrupted(w.a, w.now);
	activity_output(w.a, w.now);
	assert_int_equal(after(&w, 2900), WORKING);
	assert_int_equal(after(&w, 500), IDLE);

	/* An Esc while nothing goes on is no interrupt. */
	say(&w, SOURCE_HOOK, WORKING);
	say(&w, SOURCE_HOOK, COMPLETED);
	after(&w, 400);
	activity_interrupted(w.a, w.now);
	assert_int_equal(at(&w, 0), COMPLETED);
	activity_destroy(w.a);
}

static void test_activity__failed_until_the_next_work(void **state)
{
	struct world w = world_new(&hooked);
	struct reading r = {.source = SOURCE_HOOK,
			    .activity = COMPLETED,
			    .failed = true,
			    .detail = "API error"};

	(void)state;
	say(&w, SOURCE_HOOK, WORKING);
	at(&w, 0);
	activity_reading(w.a, &r, w.now);
	assert_int_equal(after(&w, 400), COMPLETED);
	assert_true(w.v.failed);
	assert_string_equal(w.v.detail, "API error");
	say(&w, SOURCE_HOOK, WORKING);
	at(&w, 0);
	say(&w, SOURCE_HOOK, COMPLETED);
	after(&w, 400);
	assert_false(w.v.failed);
	activity_destroy(w.a);
}

static void test_activity__silence_alone_never_decides(void **state)
{
	struct world w = world_new(&generic);

	(void)state;
	assert_int_equal(after(&w, 10000), ACTIVITY_NONE);
	activity_output(w.a, w.now);
	assert_int_equal(after(&w, 60000), WORKING);
	assert_int_equal(w.v.source, SOURCE_PROCESS);
	activity_destroy(w.a);
}

static void test_activity__a_quiet_process_is_idle_never_waiting(void **state)
{
	struct world w = world_new(&generic);
	int64_t cpu = 0;

	(void)state;
	activity_output(w.a, w.now);
	samples(&w, 2900, &cpu, 0, 1);
	assert_int_equal(w.v.activity, WORKING);
	samples(&w, 1500, &cpu, 0, 1);
	assert_int_equal(w.v.activity, IDLE);
	assert_true(strlen(w.v.detail) > 0);
	samples(&w, 60000, &cpu, 5, 1); /* a runtime that ticks: 1 % */
	assert_int_equal(w.v.activity, IDLE);

	samples(&w, 1000, &cpu, 400, 1); /* computes without a word */
	assert_int_equal(w.v.activity, WORKING);
	samples(&w, 6000, &cpu, 0, 1);
	assert_int_equal(w.v.activity, IDLE);
	samples(&w, 500, &cpu, 0, 2); /* starts a child that sleeps */
	assert_int_equal(w.v.activity, WORKING);
	samples(&w, 6000, &cpu, 0, 2);
	activity_output(w.a, w.now);
	assert_int_equal(at(&w, 0), WORKING);
	activity_destroy(w.a);
}

static void test_activity__the_screen_knows_of_thought(void **state)
{
	struct world w = world_new(&hooked);

	(void)state;
	say(&w, SOURCE_HOOK, WORKING);
	say(&w, SOURCE_SCREEN, THINKING);
	assert_int_equal(at(&w, 0), THINKING);
	assert_int_equal(w.v.source, SOURCE_HOOK);
	say(&w, SOURCE_SCREEN, WORKING);
	assert_int_equal(at(&w, 0), WORKING);
	activity_destroy(w.a);
}

static void test_activity__busy_without_life_is_stalled(void **state)
{
	struct world w = world_new(&hooked);
	int64_t cpu = 0;

	(void)state;
	activity_stall_after(w.a, 10000);
	say(&w, SOURCE_HOOK, WORKING);
	activity_output(w.a, w.now);
	at(&w, 0);
	assert_int_equal(w.v.next_ms, 10000);
	assert_int_equal(after(&w, 30000), WORKING);
	assert_false(w.v.stalled); /* nobody has looked at the process */
	samples(&w, 1000, &cpu, 0, 3);
	assert_int_equal(w.v.activity, WORKING);
	assert_true(w.v.stalled);
	assert_non_null(strstr(w.v.detail, "stalled"));
	samples(&w, 1000, &cpu, 200, 3);
	assert_false(w.v.stalled);
	activity_destroy(w.a);
}

static void test_activity__explains_itself(void **state)
{
	struct world w = world_new(&hooked);
	cJSON *o = cJSON_CreateObject(), *signals, *hook;

	(void)state;
	say(&w, SOURCE_HOOK, WORKING);
	say(&w, SOURCE_SCREEN, WORKING);
	at(&w, 1000);
	say(&w, SOURCE_SCREEN, IDLE);
	after(&w, 2000);
	activity_explain(w.a, w.now, o);
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
	activity_destroy(w.a);
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
static void test_activity__next_ms_is_when_time_matters(void **state)
{
	unsigned seed = 1;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct world w = world_new(round % 2 ? &hooked : &generic);
		bool menu = false;

		for (int i = 0; i < 60; i++) {
			struct look l = {0};
			struct verdict v;
			unsigned kind = roll(&seed, 9);

			l.reading.source = (enum source)roll(&seed, 4);
			l.reading.activity = (enum activity)roll(&seed, 6);
			l.reading.question =
			    l.reading.activity == WAITING && roll(&seed, 2);
			if (kind < 5 && l.reading.source == SOURCE_SCREEN) {
				activity_look(w.a, &l, w.now);
				menu = l.reading.question;
			} else if (kind < 5) {
				activity_reading(w.a, &l.reading, w.now);
			} else if (kind == 5) {
				activity_output(w.a, w.now);
			} else if (kind == 6) {
				activity_process(w.a, roll(&seed, 100000),
						 (int)roll(&seed, 3), w.now);
			} else if (kind == 7) {
				activity_interrupted(w.a, w.now);
			} else {
				activity_sent(w.a, w.now);
			}
			at(&w, 0);
			if (menu)
				assert_true(w.v.question &&
					    w.v.activity == WAITING);
			v = w.v;
			for (int k = 0; k < 5; k++) {
				int64_t left =
				    v.next_ms < 0 ? 500 : v.next_ms - 1;

				if (left <= 0)
					break;
				at(&w, 1 + roll(&seed, (unsigned)left) / 2);
				assert_int_equal(w.v.activity, v.activity);
				assert_int_equal(w.v.question, v.question);
				assert_int_equal(w.v.source, v.source);
				v = w.v;
			}
			w.now += roll(&seed, 3000);
		}
		activity_destroy(w.a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_activity__busy_at_once_rest_held),
	    cmocka_unit_test(test_activity__gaps_between_tools_do_not_flicker),
	    cmocka_unit_test(test_activity__a_menu_on_the_screen_overrides_all),
	    cmocka_unit_test(test_activity__a_stale_hook_is_overruled),
	    cmocka_unit_test(test_activity__the_title_may_back_a_hook),
	    cmocka_unit_test(test_activity__program_status_is_believed_longer),
	    cmocka_unit_test(test_activity__a_late_notification_is_over_soon),
	    cmocka_unit_test(test_activity__completed_stays_until_a_message),
	    cmocka_unit_test(test_activity__a_turn_too_short_to_see_completes),
	    cmocka_unit_test(test_activity__work_at_a_start_completes_nothing),
	    cmocka_unit_test(test_activity__a_turn_that_was_typed_completes),
	    cmocka_unit_test(
		test_activity__a_turn_that_begins_is_not_completed),
	    cmocka_unit_test(test_activity__after_an_interrupt_it_is_idle),
	    cmocka_unit_test(test_activity__failed_until_the_next_work),
	    cmocka_unit_test(test_activity__silence_alone_never_decides),
	    cmocka_unit_test(
		test_activity__a_quiet_process_is_idle_never_waiting),
	    cmocka_unit_test(test_activity__the_screen_knows_of_thought),
	    cmocka_unit_test(test_activity__busy_without_life_is_stalled),
	    cmocka_unit_test(test_activity__explains_itself),
	    cmocka_unit_test(test_activity__next_ms_is_when_time_matters),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
