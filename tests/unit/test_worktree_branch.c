/* test_worktree_branch.c - of two branches with a commit one stays. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "support_worktree.h"
#include "worktrees/branch.h"

/* 0: deleted, 1: kept, 2: failed */
static int delete_branch(const char *git_dir, const char *branch)
{
	char name[64], *kept = NULL;
	git_repository *git = NULL;
	bool deleted = false;
	struct err err;
	git_oid tip;

	snprintf(name, sizeof name, "refs/heads/%s", branch);
	git_libgit2_init();
	if (git_repository_open(&git, git_dir) < 0 ||
	    git_reference_name_to_id(&tip, git, name) < 0 ||
	    branch_delete(git, branch, &tip, "merged", &deleted, &kept, &err) <
		0)
		return 2;
	return deleted ? 0 : 1;
}

static pid_t start(const char *git_dir, const char *branch, int not_its)
{
	pid_t pid = fork();

	if (pid == 0) {
		close(not_its);
		_exit(delete_branch(git_dir, branch));
	}
	assert_true(pid > 0);
	return pid;
}

static bool has_open(pid_t pid, const char *file)
{
	char path[64], target[PATH_MAX];
	bool found = false;
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
	d = opendir(path);
	while (d && !found && (e = readdir(d))) {
		ssize_t n =
		    readlinkat(dirfd(d), e->d_name, target, sizeof target - 1);

		target[n > 0 ? n : 0] = '\0';
		found = strcmp(target, file) == 0;
	}
	if (d)
		closedir(d);
	return found;
}

/* Both have looked, and wait for their turn, when the first deletes. */
static void test_worktree_branch__keeps_a_commit_from_two_at_once(void **state)
{
	char dir[PATH_MAX], journal[PATH_MAX + 16];
	int fd, kept = 0, status;
	pid_t pid[2];

	(void)state;
	wt_repo("r", 1);
	wt_sh("cd r && git checkout -q -b af/a && "
	      "git commit -q --allow-empty -m alone && git branch af/b && "
	      "git checkout -q main");
	snprintf(dir, sizeof dir, "%s", wt_out("cd r/.git && pwd -P"));
	snprintf(journal, sizeof journal, "%s/afw-refs", dir);
	fd = open(journal, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
	pid[0] = start(dir, "af/a", fd);
	pid[1] = start(dir, "af/b", fd);
	for (int i = 0; i < 2; i++)
		for (int n = 0; n < 600 && !has_open(pid[i], journal); n++)
			poll(NULL, 0, 10);
	unlink(journal);
	close(fd);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
		kept += WEXITSTATUS(status);
	}
	assert_int_equal(kept, 1);
	assert_string_equal(
	    wt_out("cd r && git for-each-ref refs/heads/af | wc -l"), "1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		test_worktree_branch__keeps_a_commit_from_two_at_once, wt_setup,
		wt_teardown),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
