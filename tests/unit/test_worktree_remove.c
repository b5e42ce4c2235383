/* test_worktree_remove.c - what goes, and what stays with why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support_worktree.h"

#define W ".af_worktrees/r-one"

static void kept(const char *text)
{
	struct wt_answer a = wt_one_ask("remove", "");

	wt_refused(&a, 1, text);
	assert_string_not_equal(wt_str(&a, "hint"), "");
	wt_answer_finish(&a);
	wt_sh("[ -d " W " ] && [ -d r/.git/worktrees/r-one ] && git -C r "
	      "rev-parse -q --verify refs/heads/af/one && [ \"$(ls -A "
	      ".af_worktrees)\" = r-one ]");
}

/* What deletes the files may still be at work when afw-worktree is gone. */
static void await_swept(void)
{
	wt_sh("while [ -e .af_worktrees ] || [ -e r/.git/worktrees ]; do sleep "
	      "0.02; done"); /* wt_sh has a deadline */
}

static void gone(bool branch, const char *why, const char *more)
{
	struct wt_answer a = wt_one_ask("remove", more);

	if (a.code != 0)
		printf("# %s\n", a.lines.data);
	assert_int_equal(a.code, 0);
	assert_int_equal(wt_int(&a, "branch_deleted"), branch);
	assert_non_null(strstr(wt_str(&a, "kept"), why));
	wt_answer_finish(&a);
	await_swept();
	wt_sh("! [ -e .af_worktrees ] && ! [ -e r/.git/worktrees ] && git -C r "
	      "fsck && git -C r worktree list");
	assert_int_equal(wt_try("git -C r rev-parse -q --verify "
				"refs/heads/af/one"),
			 !branch);
}

static void test_worktree_remove__removes_what_is_clean(void **state)
{
	(void)state;
	wt_repo("r", 20);
	wt_sh("echo E > r/.env && mkdir r/node_modules");
	wt_one(",\"copy\":[\".env\"],\"link\":[\"node_modules\"]");
	wt_sh("echo log > " W "/x.log");
	gone(true, "(none)", "");
	wt_sh("[ -d r/node_modules ] && [ -f r/.env ]");
}

static void test_worktree_remove__removes_any_depth(void **state)
{
	(void)state;
	wt_repo("r", 3);
	wt_sh("echo 'o*' >> r/.git/info/exclude");
	wt_one("");
	/* ignored, deep, closed to us, and with a way out */
	wt_sh("cd " W " && for ((i = 0; i < 300; i++)); do mkdir o && cd o; "
	      "done && touch x && chmod 0 . && cd %s/" W " && mkdir o2 && "
	      "ln -s %s/r o2/out && ln -s .. o2/up",
	      wt_top, wt_top);
	gone(true, "(none)", "");
	wt_sh("[ -f r/run.sh ]");
}

static void test_worktree_remove__keeps_what_is_not_saved(void **state)
{
	(void)state;
	wt_repo("r", 20);
	wt_one("");
	wt_sh("cd " W " && echo a >> src/f1");
	kept("not committed: 1 file changed");
	wt_sh("cd " W " && git add -A");
	kept("not committed: 1 file changed");
	wt_sh("cd " W " && git commit -qm two && echo u > u");
	kept("not committed: 1 untracked");
	wt_sh("cd " W " && rm u && git checkout -q -b t HEAD~1 && echo b >> "
	      "src/f1 && git commit -qam three && ! git merge -q af/one");
	kept("middle of a merge");
	wt_sh("cd " W " && git merge --abort && git branch -qm t t2 && git "
	      "checkout -q --detach && git branch -qD t2");
	kept("which no branch has");
	wt_sh("cd " W " && git branch saved && git checkout -q af/one");
	gone(false, "commits that no other branch has", "");
}

static void test_worktree_remove__deletes_only_merged_branches(void **state)
{
	(void)state;
	wt_repo("r", 3);
	wt_one("");
	wt_sh("cd " W " && echo a > a && git add a && git commit -qm a");
	gone(false, "no other branch has", "");
	wt_sh("git -C r branch -qD af/one");
	wt_one("");
	wt_sh("cd " W " && echo a > a && git add a && git commit -qm a && git "
	      "-C ../../r merge -q af/one");
	gone(true, "(none)", "");
	wt_one("");
	wt_sh("cd " W " && echo b > b && git add b && git commit -qm b && git "
	      "update-ref refs/remotes/origin/b HEAD");
	gone(true, "(none)", "");
	wt_one("");
	gone(false, "stays", ",\"delete_branch\":\"never\"");
	wt_sh("git -C r branch -qD af/one");
	wt_one("");
	wt_sh("cd " W " && echo c > c && git add c && git commit -qm c");
	gone(true, "(none)", ",\"delete_branch\":\"always\"");
}

static void test_worktree_remove__removes_only_what_afw_made(void **state)
{
	(void)state;
	wt_repo("r", 5);
	wt_one("");
	wt_sh("mkdir precious && echo p > precious/p && cp r/.git/worktrees/"
	      "r-one/gitdir save && echo %s/precious/.git > "
	      "r/.git/worktrees/r-one/gitdir",
	      wt_top);
	kept("points elsewhere");
	wt_sh("cp save r/.git/worktrees/r-one/gitdir && git -C r worktree lock "
	      "../" W);
	kept("is locked");
	wt_sh("git -C r worktree unlock ../" W " && mv " W " moved && cp -r "
	      "moved " W);
	kept("not the directory that afw made");
	wt_sh("rm -r " W " && ln -s ../precious " W);
	kept("not the directory that afw made");
	wt_sh("rm " W " && mv .af_worktrees real && ln -s real .af_worktrees "
	      "&& mv moved real/r-one");
	kept("af_worktrees");
	wt_sh("rm .af_worktrees && mv real .af_worktrees && grep -qx p "
	      "precious/p");
	gone(true, "(none)", "");
}

static void test_worktree_remove__removes_what_is_missing(void **state)
{
	struct wt_answer a;

	(void)state;
	wt_repo("r", 5);
	wt_one("");
	wt_sh("rm -r " W);
	a = wt_one_ask("status", "");
	wt_refused(&a, 1, "is gone");
	wt_answer_finish(&a);
	a = wt_one_ask("remove", "");
	assert_int_equal(a.code, 0);
	assert_int_equal(wt_int(&a, "missing"), 1);
	assert_int_equal(wt_int(&a, "branch_deleted"), 1);
	assert_non_null(strstr(a.lines.data, "was gone already"));
	wt_answer_finish(&a);
	await_swept();
	wt_sh("! [ -e r/.git/worktrees ] && ! git -C r rev-parse -q --verify "
	      "af/one");
	/* all of it, and .af_worktrees too */
	wt_one("");
	wt_sh("rm -r .af_worktrees && git -C r worktree prune");
	a = wt_one_ask("remove", "");
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
	/* git's entry pruned, the files still there: nobody can tell */
	wt_one("");
	wt_sh("rm -r r/.git/worktrees/r-one");
	a = wt_one_ask("remove", "");
	wt_refused(&a, 1, "git knows nothing of");
	wt_answer_finish(&a);
	wt_sh("[ -f " W "/run.sh ]");
}

#define T(f) cmocka_unit_test_setup_teardown(f, wt_setup, wt_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    T(test_worktree_remove__removes_what_is_clean),
	    T(test_worktree_remove__removes_any_depth),
	    T(test_worktree_remove__keeps_what_is_not_saved),
	    T(test_worktree_remove__deletes_only_merged_branches),
	    T(test_worktree_remove__removes_only_what_afw_made),
	    T(test_worktree_remove__removes_what_is_missing),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
