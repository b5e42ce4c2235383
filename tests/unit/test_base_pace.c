/* test_base_pace.c - bursts, and the events after them. */
#include "base/pace.h"
#include "support_unit.h"

TEST(pace__lets_a_burst_through_and_then_one_by_one)
{
	struct pace p = {.burst = 3, .per_second = 10};

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

TEST(pace__who_keeps_it_never_waits)
{
	struct pace p = {.burst = 2, .per_second = 50};

	for (int i = 0; i < 1000; i++)
		assert_int_equal(pace_took(&p, 1 + (int64_t)i * 20), 0);
}
