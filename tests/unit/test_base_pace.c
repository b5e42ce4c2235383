/* test_base_pace.c - bursts, and what comes behind them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/pace.h"

static void test_pace__lets_a_burst_through_and_then_one_by_one(void **state)
{
	struct pace p = {.burst = 3, .per_second = 10};

	(void)state;
	assert_int_equal(pace_took(&p, 5000), 0);
	assert_int_equal(pace_took(&p, 5000), 0);
	assert_int_equal(pace_took(&p, 5000), 100); /* that was the third */
	assert_int_equal(pace_took(&p, 5100), 100);
	assert_int_equal(pace_took(&p, 5250), 50);
	/* Rested in part, and in full. */
	assert_int_equal(pace_took(&p, 5400), 0);
	assert_int_equal(pace_took(&p, 5400), 100);
	assert_int_equal(pace_took(&p, 100000), 0);
	assert_int_equal(pace_took(&p, 100000), 0);
	assert_int_equal(pace_took(&p, 100000), 100);
}

static void test_pace__who_keeps_it_never_waits(void **state)
{
	struct pace p = {.burst = 2, .per_second = 50};

	(void)state;
	for (int i = 0; i < 1000; i++)
		assert_int_equal(pace_took(&p, 1 + (int64_t)i * 20), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		test_pace__lets_a_burst_through_and_then_one_by_one),
	    cmocka_unit_test(test_pace__who_keeps_it_never_waits),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
