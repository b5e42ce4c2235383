/* test_base_timeslice.c - short turns, and not for what is started. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include <linux/sched/types.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/timeslice.h"

static uint64_t slice(void)
{
	struct sched_attr a = {.size = sizeof a};

	syscall(SYS_sched_getattr, 0, &a, sizeof a, 0);
	return a.sched_runtime;
}

static void test_timeslice__is_for_this_process_alone(void **state)
{
	uint64_t before = slice();
	int status;
	pid_t pid;

	timeslice_short(true);
	if (before == 0 || slice() == before)
		skip(); /* a kernel without */
	assert_true(slice() < before);
	pid = fork();
	if (pid == 0)
		_exit(slice() == before ? 0 : 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	timeslice_short(false);
	assert_int_equal(slice(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_timeslice__is_for_this_process_alone),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
