/* test_worktree_look.c - status, diff, list and removal of touched trees. */
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

static char *members;

static struct wt_answer ask(const char *op, const char *more)
{
	return wt_ask("{\"op\":\"%s\",%s%s}\n", op, members, more);
}

static void make(const char *more)
{
	free(members);
	members = wt_create("r", "one", more);
}

static void status_is(long files, long untracked, long uncommitted, long ahead,
		      long added, long removed)
{
	struct wt_answer a = ask("status", "");

	if (wt_int(&a, "files_changed") != files ||
	    wt_int(&a, "lines_added") != added)
		printf("# %s\n", a.lines.data);
	assert_int_equal(a.code, 0);
	assert_int_equal(wt_int(&a, "files_changed"), files);
	assert_int_equal(wt_int(&a, "untracked"), untracked);
	assert_int_equal(wt_int(&a, "uncommitted"), uncommitted);
	assert_int_equal(wt_int(&a, "ahead"), ahead);
	assert_int_equal(wt_int(&a, "lines_added"), added);
	assert_int_equal(wt_int(&a, "lines_removed"), removed);
	wt_answer_finish(&a);
}

static void kept(const char *text)
{
	struct wt_answer a = ask("remove", "");

	wt_refused(&a, 1, text);
	assert_string_not_equal(wt_str(&a, "hint"), "");
	wt_answer_finish(&a);
	wt_sh("[ -d " W " ] && [ -d r/.git/worktrees/r-one ] && git -C r "
	      "rev-parse -q --verify refs/heads/af/one && [ \"$(ls -A "
	      ".af_worktrees)\" = r-one ]");
}

static void gone(bool branch, const char *why, const char *more)
{
	struct wt_answer a = ask("remove", more);

	if (a.code != 0)
		printf("# %s\n", a.lines.data);
	assert_int_equal(a.code, 0);
	assert_int_equal(wt_int(&a, "branch_deleted"), branch);
	assert_non_null(strstr(wt_str(&a, "kept"), why));
	wt_answer_finish(&a);
	wt_sh("! [ -e .af_worktrees ] && ! [ -e r/.git/worktrees ] && git -C r "
	      "fsck && git -C r worktree list");
	assert_int_equal(wt_try("git -C r rev-parse -q --verify "
				"refs/heads/af/one"),
			 !branch);
}

static void test_worktree_look__status_counts_everything(void **state)
{
	(void)state;
	wt_repo("r", 20);
	wt_sh("echo E > r/.env && echo L > r/x.local");
	make(",\"copy\":[\".env\",\"x.local\"]");
	status_is(0, 0, 0, 0, 0, 0);
	wt_sh("cd " W " && printf 'a\\nb\\n' >> src/f1 && git commit -qam two "
	      "&& echo c >> src/f2 && git add src/f2 && echo d >> src/f3 && "
	      "rm src/f4 && printf 'x\\ny\\n' > new && mkdir n && echo 1 > "
	      "n/1 && printf '\\0\\1' > binary && echo log > z.log && "
	      "chmod +x src/f5");
	status_is(8, 3, 4, 1, 7, 1);
	/* what create copied counts once it has been changed */
	wt_sh("cd " W " && echo more >> x.local");
	status_is(9, 4, 4, 1, 9, 1);
}

static void test_worktree_look__status_bounds_its_work(void **state)
{
	(void)state;
	wt_repo("r", 3);
	make("");
	wt_sh("cd " W " && yes | head -c 3000000 > big && mkfifo pipe && ln -s "
	      "/dev/zero zero && ln -s / root && touch noread && chmod 0 "
	      "noread");
	/* a pipe is nothing to git; a big file has no lines */
	status_is(4, 4, 0, 0, 2, 0);
}

static void test_worktree_look__runs_nothing_of_the_tree(void **state)
{
	struct wt_answer a;

	(void)state;
	wt_repo("r", 3);
	make("");
	/* what an agent could do to have git run something */
	wt_sh(
	    "printf '#!/bin/sh\\ntouch %s/ran\\n' > evil && chmod +x evil && "
	    "cd " W " && git init -q nested && git -C nested config "
	    "core.fsmonitor %s/evil && echo x > nested/x && git -C nested "
	    "add x && printf '* filter=evil diff=evil\\n' > .gitattributes && "
	    "echo y >> src/f1 && mkdir ../evil.git && cp -r ../../r/.git/. "
	    "../evil.git && rm -r ../evil.git/worktrees && git "
	    "--git-dir=../evil.git config core.fsmonitor %s/evil && git "
	    "--git-dir=../evil.git config filter.evil.clean %s/evil && git "
	    "--git-dir=../evil.git config diff.evil.textconv %s/evil && git "
	    "--git-dir=../evil.git config core.worktree $PWD && git "
	    "--git-dir=../evil.git config core.bare false && cp ../evil "
	    "../evil.git/hooks/post-checkout 2>/dev/null; "
	    "echo \"gitdir: $(realpath ../evil.git)\" > .git",
	    wt_top, wt_top, wt_top, wt_top, wt_top);
	/* the bait works: git itself takes it */
	wt_sh("cd " W " && git status >/dev/null && [ -e ../../ran ] && rm "
	      "../../ran");
	/* src/f1, nested/ as one, .gitattributes */
	status_is(3, 2, 1, 0, 2, 0);
	a = ask("diff", "");
	assert_int_equal(a.code, 0);
	assert_non_null(strstr(a.lines.data, "+y"));
	assert_null(strstr(a.lines.data, "nested/x"));
	wt_answer_finish(&a);
	a = ask("remove", "");
	wt_refused(&a, 1, "1 file changed, 2 untracked");
	wt_answer_finish(&a);
	wt_sh("! [ -e ran ] && mv .af_worktrees/evil.git .");
}

static void test_worktree_look__diff_is_safe_to_show(void **state)
{
	struct wt_answer a;

	(void)state;
	wt_repo("r", 3);
	make("");
	wt_sh("cd " W " && printf '\\033]0;x\\007\\tt\\302\\233\\342\\200\\256"
	      "\\377\\303\\244\\r\\n' > src/f1 && mkdir $'d\\e[2J' && echo n > "
	      "$'d\\e[2J/\\xff' && printf 'no end' > new");
	a = ask("diff", ",\"colour\":true");
	assert_int_equal(a.code, 0);
	assert_non_null(
	    strstr(a.lines.data, "+?]0;x?\\tt???\303\244?\\u001b[m\\n"));
	assert_null(strstr(a.lines.data, "\\u001b]"));
	assert_null(strstr(a.lines.data, "\\u001b[2J"));
	assert_non_null(strstr(a.lines.data, "+no end"));
	assert_int_equal(wt_int(&a, "files"), 3);
	wt_answer_finish(&a);
	a = ask("diff", "");
	assert_null(strstr(a.lines.data, "\\u001b"));
	wt_answer_finish(&a);
	a = ask("diff", ",\"stat\":true");
	assert_non_null(strstr(a.lines.data, " src/f1 | 2 +-"));
	assert_null(strstr(a.lines.data, "\\u001b"));
	wt_answer_finish(&a);
}

/* The text of all "diff" lines, into a file. */
static void save_diff(const struct wt_answer *a, const char *name)
{
	char path[128], *text = strdup(a->lines.data), *rest = text, *line;
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", wt_top, name);
	f = fopen(path, "w");
	assert_non_null(f);
	while ((line = strsep(&rest, "\n"))) {
		cJSON *o = cJSON_Parse(line);
		const cJSON *part = cJSON_GetObjectItem(o, "diff");

		if (part)
			fputs(part->valuestring, f);
		cJSON_Delete(o);
	}
	fclose(f);
	free(text);
}

static void test_worktree_look__diff_is_a_patch(void **state)
{
	struct wt_answer a;

	(void)state;
	wt_repo("r", 30);
	make("");
	wt_sh("cd " W " && echo a >> src/f1 && git commit -qam x && rm src/f2 "
	      "&& echo new > new && chmod +x src/f3 && printf end > src/f4");
	a = ask("diff", "");
	assert_int_equal(a.code, 0);
	save_diff(&a, "patch");
	wt_answer_finish(&a);
	/* on top of the base it gives the same files */
	wt_sh("git -C r worktree add -q ../other && cd other && git apply "
	      "../patch && diff -r --no-dereference -x .git . ../" W);
}

static void test_worktree_look__removes_what_is_clean(void **state)
{
	(void)state;
	wt_repo("r", 20);
	wt_sh("echo E > r/.env && mkdir r/node_modules");
	make(",\"copy\":[\".env\"],\"link\":[\"node_modules\"]");
	wt_sh("echo log > " W "/x.log");
	gone(true, "(none)", "");
	wt_sh("[ -d r/node_modules ] && [ -f r/.env ]");
}

static void test_worktree_look__removes_any_depth(void **state)
{
	(void)state;
	wt_repo("r", 3);
	wt_sh("echo 'o*' >> r/.git/info/exclude");
	make("");
	/* ignored, deep, closed to us, and with a way out */
	wt_sh("cd " W " && for ((i = 0; i < 300; i++)); do mkdir o && cd o; "
	      "done && touch x && chmod 0 . && cd %s/" W " && mkdir o2 && "
	      "ln -s %s/r o2/out && ln -s .. o2/up",
	      wt_top, wt_top);
	gone(true, "(none)", "");
	wt_sh("[ -f r/run.sh ]");
}

static void test_worktree_look__keeps_what_is_not_saved(void **state)
{
	(void)state;
	wt_repo("r", 20);
	make("");
	wt_sh("cd " W " && echo a >> src/f1");
	kept("1 file changed, 0 untracked");
	wt_sh("cd " W " && git add -A");
	kept("1 file changed, 0 untracked");
	wt_sh("cd " W " && git commit -qm two && echo u > u");
	kept("0 files changed, 1 untracked");
	wt_sh("cd " W " && rm u && git checkout -q -b t HEAD~1 && echo b >> "
	      "src/f1 && git commit -qam three && ! git merge -q af/one");
	kept("middle of a merge");
	wt_sh("cd " W " && git merge --abort && git branch -qm t t2 && git "
	      "checkout -q --detach && git branch -qD t2");
	kept("which no branch has");
	wt_sh("cd " W " && git branch saved && git checkout -q af/one");
	gone(false, "commits that no other branch has", "");
}

static void test_worktree_look__deletes_only_merged_branches(void **state)
{
	(void)state;
	wt_repo("r", 3);
	make("");
	wt_sh("cd " W " && echo a > a && git add a && git commit -qm a");
	gone(false, "no other branch has", "");
	wt_sh("git -C r branch -qD af/one");
	make("");
	wt_sh("cd " W " && echo a > a && git add a && git commit -qm a && git "
	      "-C ../../r merge -q af/one");
	gone(true, "(none)", "");
	make("");
	wt_sh("cd " W " && echo b > b && git add b && git commit -qm b && git "
	      "update-ref refs/remotes/origin/b HEAD");
	gone(true, "(none)", "");
	make("");
	gone(false, "stays", ",\"delete_branch\":\"never\"");
	wt_sh("git -C r branch -qD af/one");
	make("");
	wt_sh("cd " W " && echo c > c && git add c && git commit -qm c");
	gone(true, "(none)", ",\"delete_branch\":\"always\"");
}

static void test_worktree_look__removes_only_what_afw_made(void **state)
{
	(void)state;
	wt_repo("r", 5);
	make("");
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

static void test_worktree_look__removes_what_is_missing(void **state)
{
	struct wt_answer a;

	(void)state;
	wt_repo("r", 5);
	make("");
	wt_sh("rm -r " W);
	a = ask("status", "");
	wt_refused(&a, 1, "is gone");
	wt_answer_finish(&a);
	a = ask("remove", "");
	assert_int_equal(a.code, 0);
	assert_int_equal(wt_int(&a, "missing"), 1);
	assert_int_equal(wt_int(&a, "branch_deleted"), 1);
	assert_non_null(strstr(a.lines.data, "was gone already"));
	wt_answer_finish(&a);
	wt_sh("! [ -e r/.git/worktrees ] && ! git -C r rev-parse -q --verify "
	      "af/one");
	/* all of it, and .af_worktrees too */
	make("");
	wt_sh("rm -r .af_worktrees && git -C r worktree prune");
	a = ask("remove", "");
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
	/* git's entry pruned, the files still there: nobody can tell */
	make("");
	wt_sh("rm -r r/.git/worktrees/r-one");
	a = ask("remove", "");
	wt_refused(&a, 1, "git knows nothing of");
	wt_answer_finish(&a);
	wt_sh("[ -f " W "/run.sh ]");
}

static void test_worktree_look__stays_in_its_place(void **state)
{
	static const char *const bad[] = {
	    "\"repository\":\"/nowhere\"",
	    "\"worktree_id\":\"../x\"",
	    "\"worktree_id\":\"\"",
	    "\"worktree\":\"/etc\"",
	    "\"worktree\":\"/tmp/x/../../etc\"",
	    "\"base_commit\":\"main\"",
	};
	struct wt_answer a;

	(void)state;
	wt_repo("r", 3);
	make("");
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		char key[32], *copy = strdup(members), *at, *end;

		/* the member of the request replaced by the bad one */
		snprintf(key, sizeof key, "%.*s",
			 (int)(strchr(bad[i], ':') - bad[i] + 1), bad[i]);
		at = strstr(copy, key);
		end = at + strcspn(at, ",");
		a = wt_ask("{\"op\":\"remove\",%.*s%s%s}\n", (int)(at - copy),
			   copy, bad[i], end);
		assert_true(a.code == 1 || a.code == 2);
		assert_int_equal(wt_int(&a, "ok"), 0);
		wt_answer_finish(&a);
		free(copy);
	}
	a = wt_ask("{\"op\":\"sing\"}\n");
	wt_refused(&a, 2, "unknown op");
	wt_answer_finish(&a);
	a = wt_ask("{\"op\":\"create\",\"op\":\"create\"}\n");
	wt_refused(&a, 1, "twice");
	wt_answer_finish(&a);
	a = wt_ask("garbage");
	wt_refused(&a, 1, "bad request");
	wt_answer_finish(&a);
	wt_sh("[ -d " W " ]");
}

static void test_worktree_look__discovers_and_lists(void **state)
{
	struct wt_answer a;

	(void)state;
	wt_repo("r", 3);
	make("");
	a = wt_ask("{\"op\":\"discover\",\"path\":\"%s/" W "/src\"}\n", wt_top);
	assert_string_equal(wt_str(&a, "repository"),
			    wt_out("pwd -P; true | "
				   "cat")
				? wt_out("cd r && pwd -P")
				: "");
	assert_string_equal(wt_str(&a, "branch"), "af/one");
	assert_string_equal(wt_str(&a, "in_worktree"),
			    wt_out("cd " W " && pwd -P"));
	assert_string_equal(wt_str(&a, "name"), "r");
	wt_answer_finish(&a);
	wt_sh("git -C r worktree add -q --detach ../more && git -C r worktree "
	      "lock ../more && rm -r " W);
	a = wt_ask("{\"op\":\"list\",\"path\":\"%s/r\"}\n", wt_top);
	assert_int_equal(a.code, 0);
	assert_non_null(strstr(a.lines.data, "\"branch\":\"af/one\""));
	assert_non_null(strstr(a.lines.data, "\"valid\":false"));
	assert_non_null(strstr(a.lines.data, "\"branch\":null"));
	assert_non_null(strstr(a.lines.data, "\"locked\":true"));
	wt_answer_finish(&a);
}

static int teardown(void **state)
{
	free(members);
	members = NULL;
	return wt_teardown(state);
}

#define T(f) cmocka_unit_test_setup_teardown(f, wt_setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    T(test_worktree_look__status_counts_everything),
	    T(test_worktree_look__status_bounds_its_work),
	    T(test_worktree_look__runs_nothing_of_the_tree),
	    T(test_worktree_look__diff_is_safe_to_show),
	    T(test_worktree_look__diff_is_a_patch),
	    T(test_worktree_look__removes_what_is_clean),
	    T(test_worktree_look__removes_any_depth),
	    T(test_worktree_look__keeps_what_is_not_saved),
	    T(test_worktree_look__deletes_only_merged_branches),
	    T(test_worktree_look__removes_only_what_afw_made),
	    T(test_worktree_look__removes_what_is_missing),
	    T(test_worktree_look__stays_in_its_place),
	    T(test_worktree_look__discovers_and_lists),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
