/* test_tui_refresh.c - what a command prints, read again. */
#include "tui/child/refresh.h"

#include <signal.h>
#include <string.h>

#include "base/clock.h"
#include "support_unit.h"
#include "tui/tui.h"

#define DEADLINE_MS 60000

static struct tui t;
static struct refresh r;
static int begun, taken, drawn, last_code;
static char last[64];

/* A shell that prints which reading this is. */
static void words(void *owner, struct strv *to)
{
	char *script = mem_printf("echo %d", ++begun);

	(void)owner;
	strv_add(to, "-c");
	strv_add(to, script);
	free(script);
}

static void store_result(void *owner, const struct job_result *result)
{
	(void)owner;
	taken++;
	last_code = result->exit_code;
	snprintf(last, sizeof last, "%s%s", result->out, result->err);
}

static void on_signal(void *ctx, int signo)
{
	(void)ctx;
	(void)signo;
	jobs_reap(t.jobs);
}

static void on_draw(void *ctx)
{
	drawn++;
}

static void start(const char *program)
{
	static const int signals[] = {SIGCHLD, 0};

	begun = taken = drawn = 0;
	t = (struct tui){.loop = loop_create(), .afw = mem_strdup(program)};
	t.jobs = jobs_create(t.loop, &t);
	t.draw = loop_timer_add(t.loop, on_draw, NULL);
	loop_signals(t.loop, signals, on_signal, NULL);
	r = (struct refresh){
	    .words = words, .store = store_result, .timeout_ms = DEADLINE_MS};
	refresh_create(&r, &t);
}

static void finish(void)
{
	refresh_finish(&r);
	jobs_destroy(t.jobs);
	loop_timer_remove(t.draw);
	loop_destroy(t.loop);
	free(t.afw);
}

/* Continues until this many results came. */
static void wait_for_taken(int n)
{
	int64_t end = clock_mono_ms() + DEADLINE_MS;

	while (taken < n) {
		assert_true(clock_mono_ms() < end);
		loop_once(t.loop, 1000);
	}
}

TEST(refresh__reads_once_more_after_the_child_that_runs)
{
	start("/bin/sh");
	refresh_now(&r);
	refresh_soon(&r);
	refresh_soon(&r);
	assert_int_equal(begun, 1);
	wait_for_taken(1);
	wait_for_taken(2);
	assert_string_equal(last, "2\n");
	assert_false(r.runs);
	assert_int_equal(begun, 2);
	if (!drawn)
		loop_once(t.loop, DEADLINE_MS);
	assert_true(drawn > 0);
	finish();
}

TEST(refresh__drops_what_is_another_thing_by_now)
{
	start("/bin/sh");
	refresh_now(&r);
	refresh_now(&r);
	wait_for_taken(1);
	assert_string_equal(last, "2\n");
	refresh_soon(&r);
	refresh_stop(&r);
	refresh_soon(&r);
	wait_for_taken(2);
	assert_string_equal(last, "4\n");
	finish();
}

TEST(refresh__waits_a_share_of_the_time_that_it_took)
{
	start("/bin/sh");
	r.share = 1000;
	refresh_now(&r);
	r.begun_ms -= 1000; /* as if it had taken that long */
	wait_for_taken(1);
	refresh_soon(&r);
	assert_false(r.runs);
	assert_true(loop_timer_active(r.timer));
	finish();
}

TEST(refresh__takes_one_that_could_not_be_started)
{
	start("/nowhere/afw");
	refresh_now(&r);
	wait_for_taken(1);
	assert_true(last_code != 0);
	assert_true(last[0] != '\0');
	assert_false(r.runs);
	finish();
}
