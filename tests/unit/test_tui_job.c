/* test_tui_job.c - children of the dashboard. */
#include <stdio.h>
#include <sys/wait.h>

#include "support_unit.h"
#include "tui/child/job.h"

static struct jobs *jobs;
static int done;

/* Drops the other one, too. */
static void on_done(void *ctx, void *arg, const struct job_result *r)
{
	(void)ctx;
	(void)r;
	done++;
	jobs_drop(jobs, arg);
}

/* Waits until our children have ended, and leaves them to be reaped. */
static void wait_for_children(void)
{
	FILE *f = fopen("/proc/thread-self/children", "r");
	siginfo_t info;
	int pid;

	assert_non_null(f);
	while (fscanf(f, "%d", &pid) == 1)
		assert_int_equal(
		    waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	fclose(f);
}

TEST(job__one_that_is_dropped_tells_nothing_even_if_it_is_over)
{
	char *argv[] = {(char[]){"true"}, NULL};
	struct job_request rq = {.argv = argv, .done = on_done, .arg = &done};
	struct loop *loop = loop_create();

	jobs = jobs_create(loop, NULL);
	assert_int_equal(jobs_start(jobs, &rq, NULL), 0);
	assert_int_equal(jobs_start(jobs, &rq, NULL), 0);
	wait_for_children();
	jobs_reap(jobs);
	assert_int_equal(done, 1);
	assert_int_equal(jobs_count(jobs), 0);
	jobs_destroy(jobs);
	loop_destroy(loop);
}
