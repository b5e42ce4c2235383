/* test_worktree_undo_stops.c - an undo that cannot go on, or is killed, changes
 * nothing. */
#include <unistd.h>

#include "base/mem.h"
#include "support_undo.h"
#include "support_unit.h"

/* undo does not look at it */
#define BASE "\"base_commit\":\"0123456789012345678901234567890123456789\""

FIXTURE(wt_setup, wt_teardown)

TEST(worktree_undo_stops__says_what_is_in_the_way)
{
	struct wt_answer a;

	wt_undo_begin();
	wt_sh("cd " W " && rm src/f1 && mkdir src/f1 && echo i > src/f1/.env");
	wt_undo_refused("", 4, "src/f1 is in the way of the old src/f1",
			"move it");
	wt_sh("cd " W " && rm -r src/f1 && mkfifo src/f1");
	wt_undo_refused("", 4, "src/f1", "");
	wt_sh("rm " W "/src/f1");
	wt_undo_refused(",\"to\":9", 1, "there is no checkpoint 9",
			"nearest is 1");
	wt_sh("touch " ADMIN "/index.lock");
	a = wt_one_ask("undo", "");
	wt_refused(&a, 4, "another git is running there");
	wt_answer_finish(&a);
	wt_sh("rm " ADMIN "/index.lock && rm -r " W);
	a = wt_one_ask("undo", "");
	wt_refused(&a, 1, "is gone");
	wt_answer_finish(&a);
}

/* The branch is the last that changes. */
TEST(worktree_undo_stops__puts_everything_back_if_the_branch_is_locked)
{
	wt_undo_begin();
	wt_sh("cd " W " && echo a >> src/f1 && rm -r src/deep && mkdir e && "
	      "git commit -qam two && echo s > s && git add s && "
	      "touch ../../r/.git/refs/heads/af/one.lock");
	wt_undo_refused("", 1, "move refs/heads/af/one", "stale lock");
	wt_sh("rm r/.git/refs/heads/af/one.lock");
	assert_int_equal(wt_undo(""), 3);
}

/* Either all of it is done, or the index is as it was. */
TEST(worktree_undo_stops__puts_the_index_back_if_the_branch_has_moved)
{
	struct wt_run r;
	struct wt_answer a;

	wt_undo_begin();
	wt_sh("cd " W " && for i in {1..300}; do echo $i > n$i; done && "
	      "git add -A && git commit -qm two && echo s > s && git add s");
	r = wt_start("{\"op\":\"undo\",\"repository\":\"%s/r\",\"worktree\":"
		     "\"%s/" W "\",\"worktree_id\":\"r-one\","
		     "\"branch\":\"af/one\"," BASE ",\"keep\":9}\n",
		     scratch, scratch);
	wt_sh("until [ -e " ADMIN "/afw-undo ] || ! [ -e /proc/%d/exe ]; do "
	      ":; done; kill -STOP %d; [ ! -e " ADMIN "/afw-undo ] || "
	      "git -C r update-ref refs/heads/af/one main; kill -CONT %d",
	      (int)r.pid, (int)r.pid, (int)r.pid);
	a = wt_finish(&r);
	if (a.code != 0) {
		wt_refused(&a, 4, "the branch was moved meanwhile");
		wt_sh("cd " W " && [ $(git diff --cached --name-only | wc -l) "
		      "= 301 ] && [ -e s ] && [ -e n300 ]");
	}
	wt_answer_finish(&a);
}

/* It names them by their inodes: another git's are not touched. */
TEST(worktree_undo_stops__removes_the_locks_of_a_killed_run)
{
	struct wt_answer a;

	wt_undo_begin();
	wt_sh("echo a >> " W "/src/f1; cd " ADMIN " && touch index.lock && "
	      "echo '{\"index\":\"1\"}' > afw-locks");
	a = wt_one_ask("undo", "");
	wt_refused(&a, 4, "another git is running there");
	wt_answer_finish(&a);
	wt_sh("cd " ADMIN " && echo \"{\\\"index\\\":\\\"$(stat -c %%i "
	      "index.lock)\\\"}\" > afw-locks");
	assert_int_equal(wt_undo(""), 1);
	wt_sh("cd " ADMIN " && [ ! -e index.lock ] && [ ! -e afw-locks ]");
}

/* Nor is it an undo that could be reversed. */
TEST(worktree_undo_stops__is_none_if_it_was_killed)
{
	struct wt_run r;
	struct wt_answer a;
	bool killed;

	wt_undo_begin();
	wt_sh("cd " W " && for i in {1..300}; do echo $i > n$i; done");
	wt_undo("");
	wt_undo(",\"redo\":true");
	r = wt_start("{\"op\":\"undo\",\"repository\":\"%s/r\",\"worktree\":"
		     "\"%s/" W "\",\"worktree_id\":\"r-one\","
		     "\"branch\":\"af/one\"," BASE ",\"keep\":9}\n",
		     scratch, scratch);
	wt_sh("until [ -e " ADMIN "/afw-undo ] || ! [ -e /proc/%d/exe ]; do "
	      ":; done; kill -KILL %d",
	      (int)r.pid, (int)r.pid);
	a = wt_finish(&r);
	wt_answer_finish(&a);
	/* Otherwise it was done before. */
	killed = wt_out("ls " ADMIN "/afw-undo 2>&1; true")[0] == 'r';
	wt_undo_take("");
	if (!killed)
		return;
	wt_sh("[ -e " W "/n1 ] && [ -e " W "/n300 ]");
	wt_undo_refused(",\"redo\":true", 1, "there is no undo to reverse", "");
}

/* Its journal names two checkpoints; here f1 is as in the first one already. */
TEST(worktree_undo_stops__is_reversed_before_a_commit)
{
	struct wt_answer a;

	wt_undo_begin();
	wt_sh("cd " W " && cp src/f1 ../../old && echo a >> src/f1 && "
	      "echo b >> src/f2");
	wt_undo_take("");
	wt_sh("cp old " W "/src/f1; set -- $(cut -c42-81 " ADMIN
	      "/logs/refs/worktree/afw/checkpoints) && printf "
	      "'{\"now\":\"%%s\",\"to\":\"%%s\",\"moves\":true}' $2 $1 > " ADMIN
	      "/afw-undo");
	a = wt_one_ask("commit", "");
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
	wt_sh("[ ! -e " ADMIN "/afw-undo ] && cd " W " && "
	      "[ $(git status --short | wc -l) = 2 ]");
}

TEST(worktree_undo_stops__runs_one_after_the_other)
{
	struct wt_run r[4];
	char *request;

	wt_undo_begin();
	wt_sh(ALL " > 1; cd " W " && for i in {1..200}; do echo $i > n$i; "
		  "done && git add -A && git commit -qm two");
	wt_undo_take("");
	wt_sh(ALL " > 2");
	request = mem_printf(
	    "\"op\":\"undo\",\"repository\":\"%s/r\",\"worktree\":\"%s/" W
	    "\",\"worktree_id\":\"r-one\",\"branch\":\"af/one\"," BASE
	    ",\"keep\":9",
	    scratch, scratch);
	for (int i = 0; i < 4; i++)
		r[i] = wt_start("{%s,\"to\":%d}\n", request, i % 2 + 1);
	for (int i = 0; i < 4; i++) {
		struct wt_answer a = wt_finish(&r[i]);

		assert_int_equal(a.code, 0);
		wt_answer_finish(&a);
	}
	wt_sh(ALL " > 3; cmp 1 3 || cmp 2 3");
	free(request);
}

static struct wt_run start_asked(void)
{
	struct wt_run r = wt_start_open(
	    "{\"op\":\"undo\",\"repository\":\"%s/r\",\"worktree\":"
	    "\"%s/" W "\",\"worktree_id\":\"r-one\",\"branch\":\"af/one\"," BASE
	    ",\"confirm\":true}\n",
	    scratch, scratch);

	wt_until(&r, "\"confirm\":true");
	return r;
}

/* The plan that was shown, and nothing is locked while the user thinks. */
TEST(worktree_undo_stops__does_only_what_was_confirmed)
{
	struct wt_run r;
	struct wt_answer a;

	wt_undo_begin();
	wt_sh("cd " W " && echo a >> src/f1 && echo s > s && git add s");
	r = start_asked();
	wt_undo_take("");
	wt_sh("[ ! -e " ADMIN "/index.lock ] && cd " W " && "
	      "git commit -qm meanwhile && echo n > n");
	assert_int_equal(write(r.in, "\n", 1), 1);
	wt_until(&r, "\"differs\":true");
	wt_sh("cd " W " && [ -e n ] && [ -e s ]");
	assert_int_equal(write(r.in, "\n", 1), 1);
	a = wt_finish(&r);
	assert_int_equal(a.code, 0);
	assert_int_equal(wt_int(&a, "verified"), 3);
	wt_answer_finish(&a);
	wt_sh("cd " W " && [ ! -e n ] && [ ! -e s ] && "
	      "[ -z \"$(git status -s)\" ]");
	/* the same file with the same contents is no difference */
	wt_undo(",\"redo\":true");
	r = start_asked();
	wt_sh("cd " W " && cp n m && mv m n");
	assert_int_equal(write(r.in, "\n", 1), 1);
	a = wt_finish(&r);
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
	wt_undo(",\"redo\":true");
	r = start_asked();
	wt_sh(ALL " > before");
	close(r.in);
	r.in = -1;
	a = wt_finish(&r);
	wt_refused(&a, 1, "not confirmed");
	wt_answer_finish(&a);
	wt_sh(ALL " | diff before -");
}

/* Either the file is as it was then, or nothing is changed. */
TEST(worktree_undo_stops__stops_at_a_file_that_is_written)
{
	wt_undo_begin();
	wt_sh("touch writes; cd " W "; echo a > a; echo b >> src/f2; "
	      "while [ -e ../../writes ]; do echo w >> src/f1; done "
	      "> /dev/null 2>&1 &");
	for (int i = 0; i < 5; i++) {
		struct wt_answer a = wt_one_ask("undo", ",\"to\":1");

		if (a.code == 0) {
			wt_sh("cd " W " && ! [ -e a ] && ! grep b src/f2 && "
			      "echo a > a && echo b >> src/f2");
		} else {
			assert_int_equal(a.code, 4);
			assert_non_null(
			    strstr(wt_str(&a, "error"), "src/f1 was changed"));
			wt_sh("cd " W " && [ -e a ] && grep b src/f2");
		}
		wt_answer_finish(&a);
	}
	wt_sh("rm writes");
}

TEST(worktree_undo_stops__stops_at_an_immutable_file)
{
	struct wt_answer a;

	wt_undo_begin();
	wt_sh("cd " W " && echo a >> src/f1 && rm src/f2 && echo n > src/n");
	for (int i = 0; i < 2; i++) {
		const char *file = i ? "src/n" : "src/f1";

		wt_sh(ALL " > before");
		if (strcmp(
			wt_out("chattr +i " W "/%s 2>&1 && echo is || :", file),
			"is") != 0) {
			print_message("# no file can be made immutable here\n");
			return;
		}
		a = wt_one_ask("undo", "");
		wt_sh("chattr -i " W "/%s; " ALL " | diff before -", file);
		wt_refused(&a, 1, file);
		wt_answer_finish(&a);
	}
	assert_int_equal(wt_undo(""), 3);
}
