/* test_worktree_trash.c - what is saved is read back before anything goes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "support_worktree.h"

#define ID "0123456789abcdef0123456789abcdef"

static struct wt_answer ask(const char *op, const char *members)
{
	return wt_ask("{\"op\":\"%s\",\"id\":\"" ID "\",%s}\n", op, members);
}

/*
 * The object store says that it has a file's content, but what it has is
 * not that: only reading it back can tell.
 */
static void break_object(const char *file)
{
	wt_sh("cd r && h=$(git hash-object ../%s) && "
	      "o=.git/objects/${h:0:2} && mkdir -p $o && "
	      "echo other | git hash-object -w --stdin >../other && "
	      "p=$(cat ../other) && "
	      "cp .git/objects/${p:0:2}/${p:2} $o/${h:2} && chmod u+w $o/*",
	      file);
}

static void test_worktree_trash__removes_nothing_that_is_not_saved(void **state)
{
	struct wt_answer a;
	char *m;

	(void)state;
	wt_repo("r", 3);
	m = wt_create("r", "one", "");
	wt_sh("cd .af_worktrees/r-one && echo mine >mine && echo x >.env && "
	      "echo changed >run.sh");
	break_object(".af_worktrees/r-one/mine");
	for (int i = 0; i < 2; i++) {
		a = ask(i ? "remove" : "trash", m);
		assert_int_equal(a.code, 1);
		assert_int_equal(wt_int(&a, "ok"), 0);
		wt_answer_finish(&a);
		wt_sh("cd .af_worktrees/r-one && test \"$(cat mine)\" = mine && "
		      "test \"$(cat .env)\" = x && "
		      "test \"$(cat run.sh)\" = changed && git status -s && "
		      "git rev-parse -q --verify af/one");
		wt_sh("! test -e .af_worktrees/.trash && "
		      "test -z \"$(git -C r for-each-ref refs/afw)\"");
	}
	/* whole again, it goes, and comes back */
	wt_sh("cd r && h=$(git hash-object ../.af_worktrees/r-one/mine) && "
	      "rm -f .git/objects/${h:0:2}/${h:2}");
	a = ask("trash", m);
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
	wt_sh("! test -e .af_worktrees/r-one");
	a = ask("untrash", m);
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
	wt_sh("test \"$(cat .af_worktrees/r-one/mine)\" = mine && "
	      "test -z \"$(git -C r for-each-ref refs/afw)\"");
	free(m);
}

/* What libgit2 takes for ever to compare. */
static void test_worktree_trash__takes_what_git_cannot_look_at(void **state)
{
	static const char *const traps[] = {
	    "mkdir -p $(printf 'a/%.0s' {1..60}) && touch a/x && "
	    "echo \"**/$(printf 'a*/**/%.0s' {1..12})b\" > .gitignore",
	};

	(void)state;
	for (size_t i = 0; i < sizeof traps / sizeof traps[0]; i++) {
		struct wt_answer a;
		char *m;

		wt_repo("r", 3);
		m = wt_create("r", "one", "");
		wt_sh("cd .af_worktrees/r-one && echo mine >mine");
		wt_sh("cd .af_worktrees/r-one && %s", traps[i]);
		a = wt_ask("{\"op\":\"remove\",\"look_timeout_ms\":700,%s}\n",
			   m);
		wt_refused(&a, 7, "could not look at");
		wt_answer_finish(&a);
		wt_sh("test -e .af_worktrees/r-one/mine");
		a = wt_ask("{\"op\":\"remove\",\"look_timeout_ms\":700,"
			   "\"id\":\"" ID "\",%s}\n",
			   m);
		assert_int_equal(a.code, 0);
		assert_string_equal(wt_str(&a, "saved"),
				    "what git could not look at");
		wt_answer_finish(&a);
		wt_sh("! test -e .af_worktrees/r-one && cd r && "
		      "test \"$(git show refs/afw/trash/" ID ":mine)\" = mine");
		a = ask("untrash", m);
		assert_int_equal(a.code, 0);
		wt_answer_finish(&a);
		wt_sh("test -e .af_worktrees/r-one/mine && rm -rf r "
		      ".af_worktrees");
		free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		test_worktree_trash__takes_what_git_cannot_look_at, wt_setup,
		wt_teardown),
	    cmocka_unit_test_setup_teardown(
		test_worktree_trash__removes_nothing_that_is_not_saved,
		wt_setup, wt_teardown),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
