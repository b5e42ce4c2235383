/* test_activity_process.c - what output, processor time and children tell. */
#include "support_fuser.h"
#include "support_unit.h"
#include "supervisor/activity.h"

static void samples(struct fuser *f, int64_t ms, int64_t *cpu, int64_t rate,
		    int children)
{
	for (int64_t end = f->now + ms; f->now < end; f->now += 500) {
		activity_process(f->a, *cpu += rate, children, f->now);
		fuser_at(f, 0);
	}
}

TEST(activity_process__silence_alone_never_decides)
{
	struct fuser f = fuser_new(&fuser_generic);

	assert_int_equal(fuser_after(&f, 10000), ACTIVITY_NONE);
	activity_output(f.a, f.now);
	assert_int_equal(fuser_after(&f, 60000), WORKING);
	assert_int_equal(f.v.source, SOURCE_PROCESS);
	activity_destroy(f.a);
}

TEST(activity_process__a_quiet_process_is_idle_never_waiting)
{
	struct fuser f = fuser_new(&fuser_generic);
	int64_t cpu = 0;

	activity_output(f.a, f.now);
	samples(&f, 2900, &cpu, 0, 1);
	assert_int_equal(f.v.activity, WORKING);
	samples(&f, 1500, &cpu, 0, 1);
	assert_int_equal(f.v.activity, IDLE);
	assert_true(strlen(f.v.detail) > 0);
	samples(&f, 60000, &cpu, 5, 1); /* a runtime that ticks: 1 % */
	assert_int_equal(f.v.activity, IDLE);

	samples(&f, 1000, &cpu, 400, 1); /* computes without a word */
	assert_int_equal(f.v.activity, WORKING);
	samples(&f, 6000, &cpu, 0, 1);
	assert_int_equal(f.v.activity, IDLE);
	samples(&f, 500, &cpu, 0, 2); /* starts a child that sleeps */
	assert_int_equal(f.v.activity, WORKING);
	samples(&f, 6000, &cpu, 0, 2);
	activity_output(f.a, f.now);
	assert_int_equal(fuser_at(&f, 0), WORKING);
	activity_destroy(f.a);
}

TEST(activity_process__busy_without_life_is_stalled)
{
	struct fuser f = {.a = activity_create(&fuser_hooked, 10000),
			  .now = 5000};
	int64_t cpu = 0;

	fuser_say(&f, SOURCE_HOOK, WORKING);
	activity_output(f.a, f.now);
	fuser_at(&f, 0);
	assert_int_equal(f.v.next_ms, 10000);
	assert_int_equal(fuser_after(&f, 30000), WORKING);
	assert_false(f.v.stalled); /* nobody has looked at the process */
	samples(&f, 1000, &cpu, 0, 3);
	assert_int_equal(f.v.activity, WORKING);
	assert_true(f.v.stalled);
	assert_non_null(strstr(f.v.detail, "stalled"));
	samples(&f, 1000, &cpu, 200, 3);
	assert_false(f.v.stalled);
	activity_destroy(f.a);

	/* Nor has it come up. */
	f = (struct fuser){.a = activity_create(&fuser_hooked, 10000),
			   .now = 5000};
	fuser_at(&f, 0);
	samples(&f, 9000, &cpu, 0, 1);
	assert_false(f.v.stalled);
	samples(&f, 3000, &cpu, 0, 1);
	assert_int_equal(f.v.activity, ACTIVITY_NONE);
	assert_true(f.v.stalled);
	assert_non_null(strstr(f.v.detail, "stalled"));
	fuser_say(&f, SOURCE_HOOK, IDLE);
	assert_int_equal(fuser_after(&f, 300), IDLE);
	assert_string_equal(f.v.detail, "");
	activity_destroy(f.a);
}
