/* test_worktree_branch_config.c - what git's configuration says of a branch. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "worktrees/branch_config.h"

#define OURS "[branch \"af/one\"]\n\tremote = origin\n\tmerge = x\n"

static char top[] = "/tmp/afw.XXXXXX";
static int dir;

static int setup(void **state)
{
	(void)state;
	memcpy(top + sizeof top - 7, "XXXXXX", 6);
	if (!mkdtemp(top))
		return -1;
	dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return dir < 0;
}

static int teardown(void **state)
{
	(void)state;
	unlinkat(dir, "config", 0);
	unlinkat(dir, "config.lock", 0);
	unlinkat(dir, "afw-config", 0);
	close(dir);
	return rmdir(top);
}

static void put(const char *name, const char *text)
{
	int fd =
	    openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);

	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, text, strlen(text)), 0);
	close(fd);
}

static void is(const char *want)
{
	struct buf text = {0};

	assert_int_equal(file_read(dir, "config", 4096, &text, NULL), 0);
	assert_string_equal(text.data, want);
	buf_finish(&text);
}

static void without(const char *text, const char *want, int found)
{
	struct buf out = {0};

	assert_int_equal(branch_config_without(text, "af/one", &out), found);
	assert_string_equal(out.data ? out.data : "", want);
	buf_finish(&out);
}

static void test_worktree_branch_config__only_its_sections_go(void **state)
{
	(void)state;
	without("", "", 0);
	without(OURS, "", 1);
	without("[core]\n\tx = y\n" OURS "# next\n[a]\nb = c\n" OURS,
		"[core]\n\tx = y\n[a]\nb = c\n", 2);
	without(" [BRANCH\t\"af\\/one\"] remote = x", "", 1);
	without("[branch \"af/one.x\"]\na = b\n[branch \"af/on\"]\n",
		"[branch \"af/one.x\"]\na = b\n[branch \"af/on\"]\n", 0);
	without("[branch \"AF/one\"]\n[branch]\n[branches \"af/one\"]\n",
		"[branch \"AF/one\"]\n[branch]\n[branches \"af/one\"]\n", 0);
	/* a value that goes on in the next line */
	without("[a]\nb = \\\n" OURS, "[a]\nb = \\\n" OURS, 0);
	without("[a]\nb = \\\\\n" OURS, "[a]\nb = \\\\\n", 1);
	without("[a]\nb = \"# \\\r\n" OURS, "[a]\nb = \"# \\\r\n" OURS, 0);
	/* a comment does not */
	without(OURS "\t# C:\\\n[a]\nb = c\n", "[a]\nb = c\n", 1);
	without(OURS "\tc = \"#\" ; \\\n[a]\n", "[a]\n", 1);
}

static void
test_worktree_branch_config__drops_it_and_keeps_the_mode(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(branch_config_drop(dir, "af/one"), -1);
	put("config", "[core]\n" OURS);
	assert_int_equal(branch_config_drop(dir, "af/two"), 0);
	is("[core]\n" OURS);
	assert_int_equal(fchmodat(dir, "config", 0640, 0), 0);
	assert_int_equal(branch_config_drop(dir, "af/one"), 0);
	is("[core]\n");
	assert_int_equal(fstatat(dir, "config", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(st.st_nlink, 1);
	assert_int_equal(faccessat(dir, "config.lock", F_OK, 0), -1);
}

static void
test_worktree_branch_config__leaves_it_to_git_that_is_at_it(void **state)
{
	(void)state;
	put("config", OURS);
	put("config.lock", "what git writes\n");
	assert_int_equal(branch_config_drop(dir, "af/one"), -1);
	assert_int_equal(errno, EEXIST);
	is(OURS);
	assert_int_equal(faccessat(dir, "config.lock", F_OK, 0), 0);
}

static void
test_worktree_branch_config__clears_up_after_a_dead_run(void **state)
{
	(void)state;
	put("config", OURS);
	put("afw-config", "");
	assert_int_equal(linkat(dir, "afw-config", dir, "config.lock", 0), 0);
	assert_int_equal(branch_config_drop(dir, "af/one"), 0);
	is("");
	/* died before it had the lock */
	put("afw-config", "half");
	put("config.lock", "what git writes\n");
	branch_config_recover(dir);
	assert_int_equal(faccessat(dir, "afw-config", F_OK, 0), -1);
	assert_int_equal(faccessat(dir, "config.lock", F_OK, 0), 0);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    T(test_worktree_branch_config__only_its_sections_go),
	    T(test_worktree_branch_config__drops_it_and_keeps_the_mode),
	    T(test_worktree_branch_config__leaves_it_to_git_that_is_at_it),
	    T(test_worktree_branch_config__clears_up_after_a_dead_run),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
