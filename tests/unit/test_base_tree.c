/* test_base_tree.c - what is below a process. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/tree.h"
#include "support_unit.h"

#define CHILDREN 4 /* of which the last one has exited: a zombie */

static pid_t child[CHILDREN + 1];

/* A child with two children of its own, who end with it. */
static pid_t start_family(int ready)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	for (int i = 0; i < 2; i++) {
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			break;
		}
	}
	if (write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

static int start(void **state)
{
	int ends[2];
	siginfo_t ended;
	char c;

	if (pipe(ends) < 0)
		return -1;
	for (int i = 0; i < CHILDREN - 1; i++)
		child[i] = start_family(ends[1]);
	child[CHILDREN - 1] = fork();
	if (child[CHILDREN - 1] == 0)
		_exit(0);
	for (int i = 0; i < 3 * (CHILDREN - 1); i++)
		if (read(ends[0], &c, 1) != 1)
			return -1;
	close(ends[0]);
	close(ends[1]);
	return waitid(P_PID, (id_t)child[CHILDREN - 1], &ended,
		      WEXITED | WNOWAIT);
}

static int stop(void **state)
{
	for (int i = 0; i < CHILDREN; i++) {
		kill(child[i], SIGKILL);
		waitpid(child[i], NULL, 0);
	}
	return 0;
}

FIXTURE(start, stop)

static void expect(const struct tree_except *except, int processes)
{
	struct tree_usage usage = {0};

	tree_measure(getpid(), except, &usage);
	assert_int_equal(usage.processes, processes);
	/* Each has a page of its own at least. */
	assert_true(usage.rss_bytes >= processes * sysconf(_SC_PAGESIZE));
}

TEST(tree__measures_all_below_a_process)
{
	expect(NULL, 9);
}

TEST(tree__spares_one_with_all_below_it_and_helpers_alone)
{
	const pid_t spared[] = {child[0], 0}, helpers[] = {child[1], 0};

	expect(&(struct tree_except){.spared = spared}, 6);
	expect(&(struct tree_except){.helpers = helpers}, 8);
	expect(&(struct tree_except){.spared = spared, .helpers = helpers}, 5);
}
