/* test_worktree_mark.c - the mark of a worktree that is being made, if its run
 * ends just when another run checks it. flock() is replaced: a test sets what
 * happens between the two. */
#include "worktrees/create/mark.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "support_scratch.h"
#include "support_unit.h"

FIXTURE(scratch_make, scratch_remove)

static const char text[] =
    "{\"afw\":\"making this worktree\",\"ref\":\"refs/heads/af/x\"}\n";

static int admins = -1;
static bool ends; /* the run that has the mark, before it can be locked */

int flock(int fd, int operation)
{
	if (ends)
		assert_int_equal(unlinkat(admins, "r-x/locked", 0), 0);
	return (int)syscall(SYS_flock, fd, operation);
}

static void make_entry(void)
{
	struct err err = {0};

	admins = open(scratch, FILE_DIR_FLAGS);
	assert_true(admins >= 0);
	assert_int_equal(mkdirat(admins, "r-x", 0700), 0);
	assert_int_equal(file_replace(admins, "r-x/locked", text,
				      sizeof text - 1, false, &err),
			 0);
}

TEST(worktree_mark__is_stale_if_its_run_was_killed)
{
	make_entry();
	ends = false;
	assert_true(mark_is_stale(admins, "r-x"));
	close(admins);
}

/* Else a worktree that was complete would be undone. */
TEST(worktree_mark__is_none_if_its_run_has_just_ended)
{
	make_entry();
	ends = true;
	assert_false(mark_is_stale(admins, "r-x"));
	ends = false;
	assert_int_equal(faccessat(admins, "r-x", F_OK, 0), 0);
	close(admins);
}
