/* test_worktree_rollback.c - a worktree exists completely or not at all,
 * whatever process competes for it, and whatever interrupts its making. */
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support_unit.h"
#include "support_worktree.h"

#define FILES                                                                  \
	20000 /* it still runs when it reports them                            \
	       */

FIXTURE(wt_setup, wt_teardown)

TEST(worktree_rollback__has_one_winner)
{
	struct wt_run runs[8];
	int won = 0;

	wt_repo("r", 200);
	for (int i = 0; i < 8; i++)
		runs[i] = wt_create_start("r", "same", "");
	for (int i = 0; i < 8; i++) {
		struct wt_answer a = wt_finish(&runs[i]);

		won += a.code == 0;
		if (a.code != 0)
			wt_refused(&a, 4, "already");
		wt_answer_finish(&a);
	}
	assert_int_equal(won, 1);
	wt_sh(
	    "cd .af_worktrees/r-same && [ -z \"$(git status --porcelain)\" ]");
	assert_string_equal(wt_out("ls .af_worktrees"), "r-same");
}

TEST(worktree_rollback__of_many_names_at_once)
{
	struct wt_run runs[8];

	wt_repo("r", 50);
	for (int i = 0; i < 8; i++) {
		char name[16];

		snprintf(name, sizeof name, "n%d", i);
		/* every second one fails and rolls back what it made */
		runs[i] = wt_create_start(
		    "r", name, i % 2 ? ",\"setup\":[\"false\"]" : "");
	}
	for (int i = 0; i < 8; i++) {
		struct wt_answer a = wt_finish(&runs[i]);

		if (i % 2)
			wt_refused(&a, 1, "setup command");
		else
			assert_int_equal(a.code, 0);
		wt_answer_finish(&a);
	}
	assert_string_equal(wt_out("ls .af_worktrees"),
			    "r-n0\nr-n2\nr-n4\nr-n6");
}

/* It was done before this process, which stood still, came to its part: as
 * if nothing had been. False after ten times. */
static bool once_more(int *tries)
{
	if (++*tries > 10)
		return false;
	wt_sh("rm -rf r .af_worktrees");
	return true;
}

static void kill_at(int signo)
{
	struct wt_answer a;
	int tries = 0;

	for (;;) {
		struct wt_run r = wt_create_start("r", "one", "");

		wt_until(&r, "\"progress\"");
		kill(r.pid, signo);
		a = wt_finish(&r);
		if (a.code != 0 || !once_more(&tries))
			break;
		wt_answer_finish(&a);
		wt_repo("r", FILES);
	}
	wt_refused(&a, 1, "stopped by a signal");
	wt_answer_finish(&a);
	wt_nothing_left();
}

TEST(worktree_rollback__is_taken_back_on_a_signal)
{
	wt_repo("r", FILES);
	kill_at(SIGTERM);
	kill_at(SIGINT);
	kill_at(SIGHUP);
}

/* A worktree that is being made. */
static struct wt_run under_way(void)
{
	struct wt_run r;

	wt_repo("r", FILES);
	r = wt_create_start("r", "one", "");
	wt_until(&r, "\"progress\"");
	return r;
}

TEST(worktree_rollback__is_taken_back_without_reader)
{
	struct wt_answer a;
	int tries = 0;

	for (;;) {
		struct wt_run r = under_way();

		close(r.out);
		r.out = -1;
		a = wt_finish(&r);
		if (a.code != 0 || !once_more(&tries))
			break;
		wt_answer_finish(&a);
	}
	assert_int_equal(a.code, 1);
	wt_answer_finish(&a);
	wt_nothing_left();
}

TEST(worktree_rollback__cleans_up_after_a_kill)
{
	struct wt_run r = under_way();
	struct wt_answer a;
	char locked[128];
	int tries = 0;

	kill(r.pid, SIGSTOP);
	snprintf(locked, sizeof locked, "%s/r/.git/worktrees/r-one/locked",
		 scratch);
	while (access(locked, F_OK) < 0) {
		kill(r.pid, SIGKILL);
		a = wt_finish(&r);
		wt_answer_finish(&a);
		assert_true(once_more(&tries));
		r = under_way();
		kill(r.pid, SIGSTOP);
	}
	/* while it is running its mark is respected */
	wt_create_refused("r", "one", "", 4, "already");
	kill(r.pid, SIGKILL);
	a = wt_finish(&r);
	wt_answer_finish(&a);
	wt_sh("[ -e r/.git/worktrees/r-one/locked ]");
	free(wt_create("r", "one", ""));
	wt_sh("cd .af_worktrees/r-one && [ -z \"$(git status --porcelain)\" ]");
}

TEST(worktree_rollback__survives_a_full_disk)
{
	struct wt_answer a;
	char dir[96];

	wt_repo("r", 2000);
	snprintf(dir, sizeof dir, "%s/.af_worktrees", scratch);
	assert_int_equal(mkdir(dir, 0755), 0);
	/* our own mount, which no other process sees */
	if (geteuid() != 0 || unshare(CLONE_NEWNS) < 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("tmpfs", dir, "tmpfs", 0, "size=2m,mode=755") < 0) {
		print_message("# not root: a full disk cannot be made\n");
		rmdir(dir);
		skip();
	}
	a = wt_create_ask("r", "one", "");
	wt_refused(&a, 1, "No space left");
	wt_answer_finish(&a);
	assert_string_equal(wt_out("ls .af_worktrees"), "");
	assert_int_equal(umount(dir), 0);
	rmdir(dir);
	wt_nothing_left();
}
