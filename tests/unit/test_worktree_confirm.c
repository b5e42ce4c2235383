/* test_worktree_confirm.c - worktrees that the caller has not recorded. */
#include <signal.h>
#include <unistd.h>

#include "support_unit.h"
#include "support_worktree.h"

#define CREATE                                                                 \
	"{\"op\":\"create\",\"path\":\"%s/r\",\"name\":\"one\","               \
	"\"confirm\":true%s}\n"
#define MADE                                                                   \
	"[ -d .af_worktrees/r-one ] && ! [ -e r/.git/worktrees/r-one/locked "  \
	"] && git -C r worktree list | grep -q 'r-one .*af/one'"

static struct wt_run start_create(const char *more)
{
	struct wt_run r = wt_start_open(CREATE, scratch, more);

	wt_until(&r, "\"ok\":true");
	return r;
}

static void say_no(struct wt_run *r)
{
	close(r->in);
	r->in = -1;
}

static void refused(struct wt_run *r, const char *text)
{
	struct wt_answer a = wt_finish(r);

	wt_refused(&a, 1, text);
	wt_answer_finish(&a);
}

FIXTURE(wt_setup, wt_teardown)

TEST(worktree_confirm__a_word_keeps_it)
{
	struct wt_run r;
	struct wt_answer a;

	wt_repo("r", 20);
	r = start_create("");
	assert_int_equal(write(r.in, "\n", 1), 1);
	a = wt_finish(&r);
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
	wt_sh(MADE);
}

TEST(worktree_confirm__without_it_is_taken_back)
{
	struct wt_run r;

	wt_repo("r", 20);
	wt_sh("echo secret > r/.env && mkdir -p r/node_modules/x");
	r = start_create(",\"copy\":[\".env\"],\"link\":[\"node_modules\"],"
			 "\"setup\":[\"sh\",\"-c\",\"mkdir -p a/b\"]");
	say_no(&r);
	refused(&r, "the caller has not recorded the worktree");
	wt_nothing_left();
	/* another word is not a confirmation */
	r = start_create("");
	assert_int_equal(write(r.in, "x", 1), 1);
	refused(&r, "the caller has not recorded");
	wt_nothing_left();
	r = start_create("");
	kill(r.pid, SIGTERM);
	refused(&r, "stopped by a signal");
	wt_nothing_left();
}

TEST(worktree_confirm__waits_only_so_long)
{
	struct wt_run r;

	wt_repo("r", 20);
	r = start_create(",\"confirm_timeout_ms\":100");
	refused(&r, "in time");
	wt_nothing_left();
}

/* Another process has changed something there since. */
static void changed(const char *script)
{
	struct wt_run r = start_create("");

	wt_sh("cd .af_worktrees/r-one && %s", script);
	say_no(&r);
	refused(&r, "the caller has not recorded the worktree");
}

TEST(worktree_confirm__commits_are_never_lost)
{
	wt_repo("r", 20);
	changed("git commit -q --allow-empty -m here");
	assert_string_equal(wt_out("git -C r log -1 --format=%%s af/one"),
			    "here");
	wt_sh("git -C r branch -q -D af/one");
	wt_nothing_left();
}

TEST(worktree_confirm__only_that_directory_goes)
{
	wt_repo("r", 20);
	changed("cd .. && mv r-one mine && mkdir r-one && echo x > r-one/x");
	wt_sh("[ -f .af_worktrees/mine/run.sh ] && "
	      "[ \"$(cat .af_worktrees/r-one/x)\" = x ]");
	/* the mark is there for the next run, which finds what is in the way */
	wt_create_refused("r", "one", "", 1, "not the directory that afw made");
	wt_sh("rm -r .af_worktrees/r-one");
	free(wt_create("r", "one", ""));
	wt_sh(MADE " && rm -r .af_worktrees && git -C r worktree prune && "
		   "git -C r branch -q -D af/one");
	changed("cd .. && mv r-one mine");
	wt_sh("[ -f .af_worktrees/mine/run.sh ] && rm -r .af_worktrees");
	wt_nothing_left();
	/* removed already, and another is made in its place */
	changed("cd ../.. && git -C r worktree remove -f -f "
		"../.af_worktrees/r-one && git -C r worktree add -q "
		"../.af_worktrees/r-one af/one");
	wt_sh(MADE " && cd .af_worktrees/r-one && git status --porcelain");
}

#define MARK	  "r/.git/worktrees/r-one/locked"
#define AS_MARKED ",\"session\":\"%s/s\""

/* Killed while it waits for the word. */
static void left_by_a_kill(void)
{
	char session[160];
	struct wt_answer a;
	struct wt_run r;

	snprintf(session, sizeof session, AS_MARKED, scratch);
	r = start_create(session);
	kill(r.pid, SIGKILL);
	a = wt_finish(&r);
	wt_answer_finish(&a);
	wt_sh("[ -e " MARK " ] && git -C r fsck");
}

TEST(worktree_confirm__the_next_run_undoes_what_a_kill_left)
{
	wt_repo("r", 20);
	left_by_a_kill();
	free(wt_create("r", "two", ""));
	wt_sh("! [ -e .af_worktrees/r-one ] && ! [ -e r/.git/worktrees/r-one ] "
	      "&& ! git -C r rev-parse -q --verify af/one");
}

TEST(worktree_confirm__but_not_what_is_recorded)
{
	wt_repo("r", 20);
	left_by_a_kill();
	wt_sh("mkdir s && echo '{\"worktree_id\":\"r-one\"}' >s/spec.json");
	free(wt_create("r", "two", ""));
	wt_sh(MADE);
}

TEST(worktree_confirm__nor_what_has_commits)
{
	wt_repo("r", 20);
	left_by_a_kill();
	wt_sh("git -C .af_worktrees/r-one commit -q --allow-empty -m here");
	free(wt_create("r", "two", ""));
	wt_sh("[ -e " MARK " ] && [ -d .af_worktrees/r-one/.git ] || "
	      "[ -f .af_worktrees/r-one/.git ]");
	wt_create_refused("r", "one", "", 4, "already");
}
