/* test_base_child.c - children beside the loop: output, deadlines, reaping. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/clock.h"
#include "support_unit.h"

#define LIMIT_MS 60000

static struct loop *loop;
static struct children *children;
static struct ended {
	bool over, late, cut;
	int status;
	char out[64], errors[64], failed[256];
} got;

static void on_signal(void *ctx, int signo)
{
	(void)ctx, (void)signo;
	children_reap(children);
}

static int set_up(void **state)
{
	static const int signals[] = {SIGCHLD, SIGTERM, 0};

	(void)state;
	alarm(LIMIT_MS / 1000);
	got = (struct ended){0};
	loop = loop_create();
	children = children_create(loop, 2);
	return loop_signals(loop, signals, on_signal, NULL);
}

static int tear_down(void **state)
{
	(void)state;
	children_destroy(children);
	loop_destroy(loop);
	return 0;
}

FIXTURE(set_up, tear_down)

static void on_ended(void *ctx, const struct child_end *end)
{
	(void)ctx;
	got.over = true;
	got.late = end->late;
	got.cut = end->cut;
	got.status = end->status;
	snprintf(got.out, sizeof got.out, "%s",
		 end->out->len ? end->out->data : "");
	snprintf(got.errors, sizeof got.errors, "%s",
		 end->errors->len ? end->errors->data : "");
	snprintf(got.failed, sizeof got.failed, "%s",
		 end->failed ? end->failed : "");
}

static struct child *start(const char *script, const struct child_start *how)
{
	char *argv[] = {(char *)"sh", (char *)"-c", (char *)(size_t)script,
			NULL};
	struct child_start st = *how;
	struct err err = {0};
	struct child *c;

	st.spawn = (struct spawn){
	    .argv = argv, .fd = {-1, -1, -1}, .new_session = true};
	if (how->spawn.fd[1])
		st.spawn.fd[1] = how->spawn.fd[1];
	st.ended = on_ended;
	c = child_start(children, &st, &err);
	assert_string_equal(err.what, "");
	assert_non_null(c);
	return c;
}

/* Waits until it has printed a line; out reaches its end when no process is
 * left that could print more. */
static struct child *start_ready(const char *script, int64_t term_ms, int *out)
{
	int ends[2];
	struct child *c;
	char byte = 0;

	assert_int_equal(pipe(ends), 0);
	c = start(script, &(struct child_start){.spawn.fd[1] = ends[1],
						.term_ms = term_ms});
	close(ends[1]);
	*out = ends[0];
	while (byte != '\n')
		assert_int_equal(read(*out, &byte, 1), 1);
	child_hurry(c, 0);
	return c;
}

static void run_to_end(void)
{
	int64_t end = clock_mono_ms() + LIMIT_MS;

	while (!got.over && clock_mono_ms() < end)
		loop_once(loop, end - clock_mono_ms());
	assert_true(got.over);
}

TEST(child__reads_its_input_and_keeps_both_outputs)
{
	start("cat; echo why >&2; exit 3",
	      &(struct child_start){
		  .input = "text\n", .keep_out = 60, .keep_errors = 60});
	run_to_end();
	assert_string_equal(got.out, "text\n");
	assert_string_equal(got.errors, "why\n");
	assert_string_equal(got.failed, "sh exited with code 3");
	assert_false(got.cut || got.late);
}

TEST(child__that_prints_more_than_is_kept_is_not_held_up)
{
	start("head -c 300000 /dev/zero | tr '\\0' x",
	      &(struct child_start){.keep_out = 10});
	run_to_end();
	assert_string_equal(got.out, "xxxxxxxxxx");
	assert_true(got.cut);
	assert_int_equal(got.status, 0);
}

TEST(child__is_over_though_another_holds_its_output)
{
	start("sleep 1000 & echo $!", &(struct child_start){.keep_out = 60});
	run_to_end();
	assert_int_equal(kill(atoi(got.out), SIGKILL), 0);
}

TEST(child__deadline_kills_it_with_what_left_its_group)
{
	char byte;
	int out;

	start_ready("setsid sleep 1000 & echo; wait", 0, &out);
	run_to_end();
	assert_true(got.late);
	assert_int_equal(WTERMSIG(got.status), SIGKILL);
	assert_non_null(strstr(got.failed, "sh was not done after "));
	assert_int_equal(read(out, &byte, 1), 0);
	close(out);
}

TEST(child__gets_sigterm_first_if_that_is_asked_for)
{
	int out;

	start_ready("trap 'exit 5' TERM; echo; while :; do sleep 0.01; done",
		    LIMIT_MS, &out);
	run_to_end();
	assert_true(got.late);
	assert_int_equal(WEXITSTATUS(got.status), 5);
	close(out);
}

TEST(child__that_ignores_sigterm_is_killed)
{
	int out;

	start_ready("trap '' TERM; echo; while :; do sleep 0.01; done", 1,
		    &out);
	run_to_end();
	assert_int_equal(WTERMSIG(got.status), SIGKILL);
	close(out);
}

static void on_printed(void *ctx, const struct buf *out)
{
	(void)ctx, (void)out;
	fail();
}

TEST(child__that_is_dropped_tells_nothing)
{
	const struct child_start prints = {.keep_out = 10,
					   .printed = on_printed};
	siginfo_t info;
	struct child *c = start("echo x", &prints);

	assert_int_equal(waitid(P_ALL, 0, &info, WEXITED | WNOWAIT), 0);
	child_drop(c);
	loop_once(loop, LIMIT_MS);
	child_drop(start("sleep 1000", &(struct child_start){0}));
	children_wait(children);
	assert_false(got.over);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

TEST(child__no_more_than_the_owner_allows)
{
	char *argv[] = {(char *)"true", NULL};
	struct child_start st = {.spawn = {.argv = argv, .fd = {-1, -1, -1}}};
	struct err err = {0};

	start("sleep 1000", &(struct child_start){0});
	start("sleep 1000", &(struct child_start){0});
	assert_null(child_start(children, &st, &err));
	assert_int_equal(err.kind, ERR_LIMIT);
}
