/* test_swap.c - a file that a program puts in the place of a new one, just when
 * that is taken back, is kept. The two calls that can take it away are
 * replaced: a test sets what happens before them. */
#include "worktrees/changes/swap.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "support_unit.h"
#include "support_worktree.h"
#include "worktrees/git/repo.h"

FIXTURE(wt_setup, wt_teardown)

static int worktree = -1; /* where another file comes; -1: nowhere */

static void replace(const char *name)
{
	int to = worktree;

	worktree = -1;
	if (to < 0 || strcmp(name, "made") != 0)
		return;
	assert_int_equal(file_replace(to, name, "theirs", 6, false, NULL), 0);
}

int unlinkat(int dir, const char *name, int flags)
{
	replace(name);
	return (int)syscall(SYS_unlinkat, dir, name, flags);
}

int renameat2(int from, const char *name, int to, const char *new_name,
	      unsigned flags)
{
	replace(name);
	return (int)syscall(SYS_renameat2, from, name, to, new_name, flags);
}

/* Makes the file made in the worktree. */
static void make(struct swap *s, git_repository *git)
{
	struct err err = {0};
	git_oid id;

	s->worktree = open(git_repository_workdir(git), FILE_DIR_FLAGS);
	assert_true(s->worktree >= 0);
	assert_int_equal(git_blob_create_from_buffer(&id, git, "ours", 4), 0);
	swap_add(s, "made", GIT_FILEMODE_BLOB, &id);
	assert_int_equal(swap_open(s, git, git_repository_workdir(git), &err),
			 0);
	assert_int_equal(swap_make(s, git, NULL, true, NULL, &err), 0);
	assert_int_equal(swap_run(s, &err), 0);
	assert_string_equal(wt_out("cat r/made"), "ours");
}

TEST(swap__takes_back_a_new_file_and_no_other)
{
	struct swap s = {.dir = -1, .worktree = -1};
	git_repository *git = NULL;
	struct err err = {0};
	_free_ char *path = mem_printf("%s/r", scratch),
		    *made = mem_printf("%s/made", path);

	wt_repo("r", 1);
	assert_int_equal(repo_init(&err), 0);
	assert_int_equal(git_repository_open(&git, path), 0);
	make(&s, git);
	swap_undo(&s, &err);
	assert_int_equal(access(made, F_OK), -1);
	swap_finish(&s);

	make(&s, git);
	worktree = s.worktree;
	swap_undo(&s, &err);
	assert_string_equal(wt_out("cat r/made"), "theirs");
	assert_non_null(strstr(err.hint, "made could not be restored"));
	swap_finish(&s);
	git_repository_free(git);
}
