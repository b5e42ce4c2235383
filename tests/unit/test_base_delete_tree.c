/* test_base_delete_tree.c - deleting, while others delete and write too. */
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/delete_tree.h"
#include "support_scratch.h"
#include "support_unit.h"

FIXTURE(scratch_make, scratch_remove)

/* A directory of 10 x 10 directories with a file, and one of depth 100. */
static void make_tree(void)
{
	char path[PATH_MAX + 2];
	int at, next;

	snprintf(path, sizeof path, "%s/t", scratch);
	assert_int_equal(mkdir(path, 0700), 0);
	at = open(path, O_RDONLY | O_DIRECTORY);
	for (int i = 0; i < 100; i++) {
		snprintf(path, sizeof path, "d%d", i / 10);
		if (i % 10 == 0)
			assert_int_equal(mkdirat(at, path, 0700), 0);
		snprintf(path, sizeof path, "d%d/e%d", i / 10, i);
		assert_int_equal(mkdirat(at, path, 0700), 0);
		snprintf(path, sizeof path, "d%d/e%d/f", i / 10, i);
		close(openat(at, path, O_CREAT | O_WRONLY, 0600));
	}
	for (int i = 0; i < 100; i++) {
		assert_int_equal(mkdirat(at, "deep", 0700), 0);
		next = openat(at, "deep", O_RDONLY | O_DIRECTORY);
		close(at);
		at = next;
	}
	close(at);
}

TEST(delete_tree__shares_the_work)
{
	char path[PATH_MAX + 2];

	snprintf(path, sizeof path, "%s/t", scratch);
	for (int round = 0; round < 10; round++) {
		pid_t pid[3];

		make_tree();
		for (int i = 0; i < 3; i++) {
			pid[i] = fork();
			if (pid[i] == 0) {
				struct err err = {0};
				int r = delete_tree(AT_FDCWD, path, &err);

				if (r < 0)
					printf("# %s\n", err.what);
				fflush(stdout);
				_exit(r < 0);
			}
		}
		for (int i = 0; i < 3; i++) {
			int status = -1;

			waitpid(pid[i], &status, 0);
			assert_int_equal(status, 0);
		}
		assert_int_equal(access(path, F_OK), -1);
	}
}
