/* test_base_timeslice.c - short turns, and not for what is started. */
#include <linux/sched/types.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "supervisor/timeslice.h"
#include "support_unit.h"

static uint64_t slice(void)
{
	struct sched_attr a = {.size = sizeof a};

	syscall(SYS_sched_getattr, 0, &a, sizeof a, 0);
	return a.sched_runtime;
}

TEST(timeslice__is_for_this_process_alone)
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
