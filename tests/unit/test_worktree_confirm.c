/* test_worktree_confirm.c - worktrees that nobody has recorded. */
#include <signal.h>
#include <unistd.h>

#include "support_unit.h"
#include "support_worktree.h"

#define CREATE                                                                 \
	"{\"op\":\"create\",\"path\":\"%s/r\",\"name\":\"one\","               \
	"\"confirm\":true%s}\n"
#define KEPT                                                                   \
	"[ -d .af_worktrees/r-one ] && git -C r worktree list | grep -q "      \
	"'r-one .*af/one' && ! ls -d .af_worktrees/.purged-* 2>/dev/null"

static struct wt_run begin(const char *more)
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
	r = begin("");
	assert_int_equal(write(r.in, "\n", 1), 1);
	a = wt_finish(&r);
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
	wt_sh(KEPT);
}

TEST(worktree_confirm__without_it_is_taken_back)
{
	struct wt_run r;

	wt_repo("r", 20);
	wt_sh("echo secret > r/.env && mkdir -p r/node_modules/x");
	r = begin(",\"copy\":[\".env\"],\"link\":[\"node_modules\"],"
		  "\"setup\":[\"sh\",\"-c\",\"mkdir -p a/b\"]");
	say_no(&r);
	refused(&r, "nobody has recorded the worktree");
	wt_nothing_left();
	/* another word is none */
	r = begin("");
	assert_int_equal(write(r.in, "x", 1), 1);
	refused(&r, "nobody has recorded");
	wt_nothing_left();
	r = begin("");
	kill(r.pid, SIGTERM);
	refused(&r, "stopped by a signal");
	wt_nothing_left();
}

TEST(worktree_confirm__waits_only_so_long)
{
	struct wt_run r;

	wt_repo("r", 20);
	r = begin(",\"confirm_timeout_ms\":100");
	refused(&r, "in time");
	wt_nothing_left();
}

/* What somebody has done there since. */
static void changed(const char *script)
{
	struct wt_run r = begin("");
	struct wt_answer a;

	wt_sh("cd .af_worktrees/r-one && %s", script);
	say_no(&r);
	a = wt_finish(&r);
	wt_refused(&a, 1, "nobody has recorded the worktree");
	assert_non_null(strstr(wt_str(&a, "hint"), "so it stays"));
	wt_answer_finish(&a);
}

TEST(worktree_confirm__work_in_it_is_never_lost)
{
	static const char *const work[] = {
	    "echo x > src/deep/new",
	    "git checkout -q --detach && git commit -q --allow-empty -m here",
	};

	wt_repo("r", 20);
	for (size_t i = 0; i < sizeof work / sizeof work[0]; i++) {
		changed(work[i]);
		wt_sh(KEPT " || git -C r worktree list | grep detached");
		wt_sh("git -C r worktree remove --force ../.af_worktrees/r-one "
		      "&& git -C r branch -q -D af/one");
	}
}

TEST(worktree_confirm__only_that_directory_goes)
{
	wt_repo("r", 20);
	changed("cd .. && mv r-one mine && mkdir r-one && echo x > r-one/x");
	wt_sh("[ -f .af_worktrees/mine/run.sh ] && "
	      "[ \"$(cat .af_worktrees/r-one/x)\" = x ]");
	wt_sh("rm -r .af_worktrees && git -C r worktree prune && "
	      "git -C r branch -q -D af/one");
	changed("cd .. && mv r-one mine");
	wt_sh("[ -f .af_worktrees/mine/run.sh ] && git -C r rev-parse -q "
	      "--verify af/one");
	wt_sh("rm -r .af_worktrees && git -C r worktree prune && "
	      "git -C r branch -q -D af/one");
	/* taken away already, and another is made in its place */
	changed("cd ../.. && git -C r worktree remove ../.af_worktrees/r-one "
		"&& git -C r worktree add -q ../.af_worktrees/r-one af/one");
	wt_sh(KEPT " && cd .af_worktrees/r-one && git status --porcelain");
}
