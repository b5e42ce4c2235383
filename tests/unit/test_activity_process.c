/* test_activity_process.c - what output, processor time and children tell. */
#include "support_fuser.h"
#include "support_unit.h"
#include "activity/activity.h"

FIXTURE(fuser_begin, fuser_end)

static void samples(int64_t ms, int64_t *cpu, int64_t rate, int children)
{
	for (int64_t end = fuser.now + ms; fuser.now < end; fuser.now += 500) {
		activity_process(fuser.a, *cpu += rate, children, fuser.now);
		fuser_at(0);
	}
}

TEST(activity_process__silence_alone_never_decides)
{
	fuser_start(&fuser_generic);
	assert_int_equal(fuser_after(10000), ACTIVITY_NONE);
	activity_output(fuser.a, fuser.now);
	assert_int_equal(fuser_after(60000), WORKING);
	assert_int_equal(fuser.v.source, SOURCE_PROCESS);
}

TEST(activity_process__a_quiet_process_is_idle_never_waiting)
{
	int64_t cpu = 0;

	fuser_start(&fuser_generic);
	activity_output(fuser.a, fuser.now);
	samples(2900, &cpu, 0, 1);
	assert_int_equal(fuser.v.activity, WORKING);
	samples(1500, &cpu, 0, 1);
	assert_int_equal(fuser.v.activity, IDLE);
	assert_true(strlen(fuser.v.detail) > 0);
	samples(60000, &cpu, 5, 1); /* a runtime that ticks: 1 % */
	assert_int_equal(fuser.v.activity, IDLE);

	samples(1000, &cpu, 400, 1); /* computes and prints nothing */
	assert_int_equal(fuser.v.activity, WORKING);
	samples(6000, &cpu, 0, 1);
	assert_int_equal(fuser.v.activity, IDLE);
	samples(500, &cpu, 0, 2); /* starts a child that sleeps */
	assert_int_equal(fuser.v.activity, WORKING);
	samples(6000, &cpu, 0, 2);
	activity_output(fuser.a, fuser.now);
	assert_int_equal(fuser_at(0), WORKING);
}
