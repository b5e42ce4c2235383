/*
 * support_unit.h - the frame of a unit test program, with main().
 *
 *	FIXTURE(make_dir, remove_dir) // around each test below it
 *
 *	TEST(file__replace_is_all_or_nothing)
 *	{
 *		assert_int_equal(...);
 *	}
 */
#ifndef AFW_TESTS_SUPPORT_UNIT_H
#define AFW_TESTS_SUPPORT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct CMUnitTest unit_tests[64];
static size_t unit_count;
static CMFixtureFunction unit_setup, unit_teardown;

/* Before main(), in the order of the file's lines. */
#define UNIT_FIRST __attribute__((constructor(1000 + __LINE__))) static void

#define TEST(claim)                                                            \
	static void test_##claim(void **);                                     \
	UNIT_FIRST add_##claim(void)                                           \
	{                                                                      \
		unit_tests[unit_count++] = (struct CMUnitTest){                \
		    #claim, test_##claim, unit_setup, unit_teardown, NULL};    \
	}                                                                      \
	static void test_##claim(__attribute__((unused)) void **state)

#define FIXTURE(setup, teardown)                                               \
	UNIT_FIRST use_##setup(void)                                           \
	{                                                                      \
		unit_setup = setup;                                            \
		unit_teardown = teardown;                                      \
	}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return _cmocka_run_group_tests("unit", unit_tests, unit_count, NULL,
				       NULL);
}

#endif
