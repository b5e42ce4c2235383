/* test_base_loop.c - descriptors, timers and signals in one thread. */
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/loop.h"
#include "support_unit.h"

struct world {
	struct loop *loop;
	struct loop_io *io[2];
	struct loop_timer *timer[2];
	int calls, last, word;
};

static void quit(void *ctx)
{
	struct world *w = ctx;

	w->calls++;
	loop_quit(w->loop);
}

static void count(void *ctx)
{
	((struct world *)ctx)->calls++;
}

TEST(loop__timers_fire_once_in_time)
{
	struct world w = {.loop = loop_create()};
	struct loop_timer *t = loop_timer_add(w.loop, quit, &w);
	int64_t start = clock_mono_ms();

	assert_false(loop_timer_active(t));
	loop_timer_set(t, 60000);
	loop_timer_set_earlier(t, 30);
	loop_timer_set_earlier(t, 90000);
	assert_true(loop_timer_active(t));
	loop_run(w.loop);
	assert_in_range(clock_mono_ms() - start, 29, 50000);
	assert_int_equal(w.calls, 1);
	assert_false(loop_timer_active(t));
	loop_once(w.loop, 10);
	assert_int_equal(w.calls, 1);
	loop_timer_set(t, 0);
	loop_timer_stop(t);
	loop_once(w.loop, 10);
	assert_int_equal(w.calls, 1);
	loop_timer_remove(t);
	loop_timer_remove(NULL);
	loop_destroy(w.loop);
}

static void again(void *ctx)
{
	struct world *w = ctx;

	w->calls++;
	loop_timer_set(w->timer[0], 0);
}

TEST(loop__a_timer_may_set_itself)
{
	struct world w = {.loop = loop_create()};

	w.timer[0] = loop_timer_add(w.loop, again, &w);
	loop_timer_set(w.timer[0], 0);
	for (int i = 0; i < 5; i++)
		loop_once(w.loop, 1000);
	/* Once a round: descriptors are not starved. */
	assert_int_equal(w.calls, 5);
	loop_destroy(w.loop);
}

static void drop_other_timer(void *ctx)
{
	struct world *w = ctx;

	w->calls++;
	loop_timer_remove(w->timer[0]);
	loop_timer_remove(w->timer[1]);
}

TEST(loop__a_timer_may_remove_its_neighbour)
{
	struct world w = {.loop = loop_create()};

	w.timer[0] = loop_timer_add(w.loop, drop_other_timer, &w);
	w.timer[1] = loop_timer_add(w.loop, drop_other_timer, &w);
	loop_timer_set(w.timer[0], 0);
	loop_timer_set(w.timer[1], 0);
	loop_once(w.loop, 100);
	loop_once(w.loop, 0);
	assert_int_equal(w.calls, 1);
	loop_destroy(w.loop);
}

static void on_byte(void *ctx, int fd, short revents)
{
	struct world *w = ctx;
	char c;

	if (revents & POLLIN && read(fd, &c, 1) == 1)
		w->last = c;
	w->calls++;
}

TEST(loop__descriptors_by_events)
{
	struct world w = {.loop = loop_create()};
	int p[2];

	assert_int_equal(pipe(p), 0);
	w.io[0] = loop_io_add(w.loop, p[0], POLLIN, on_byte, &w);
	loop_once(w.loop, 0);
	assert_int_equal(w.calls, 0);
	assert_int_equal(write(p[1], "x", 1), 1);
	loop_once(w.loop, 1000);
	assert_int_equal(w.last, 'x');

	/* No events wanted: nothing comes, not even that the end is gone. */
	loop_io_events(w.io[0], 0);
	close(p[1]);
	loop_once(w.loop, 10);
	assert_int_equal(w.calls, 1);
	loop_io_events(w.io[0], POLLIN);
	loop_once(w.loop, 1000);
	assert_int_equal(w.calls, 2);
	loop_io_remove(w.io[0]);
	loop_io_remove(NULL);
	close(p[0]);
	/* Removed outside a round: the closed one is not even looked at. */
	loop_once(w.loop, 0);
	assert_int_equal(w.calls, 2);
	loop_destroy(w.loop);
}

static void drop_both(void *ctx, int fd, short revents)
{
	struct world *w = ctx;

	w->calls++;
	loop_io_remove(w->io[0]);
	loop_io_remove(w->io[1]);
}

TEST(loop__a_handler_may_remove_its_neighbour)
{
	struct world w = {.loop = loop_create()};
	int p[2];

	assert_int_equal(pipe(p), 0);
	assert_int_equal(write(p[1], "x", 1), 1);
	w.io[0] = loop_io_add(w.loop, p[0], POLLIN, drop_both, &w);
	w.io[1] = loop_io_add(w.loop, p[1], POLLOUT, drop_both, &w);
	loop_once(w.loop, 1000);
	loop_once(w.loop, 0);
	assert_int_equal(w.calls, 1);
	loop_destroy(w.loop);
	close(p[0]);
	close(p[1]);
}

static void on_signal(void *ctx, int signo)
{
	struct world *w = ctx;

	w->last = signo;
	w->word = loop_signal_value(w->loop);
	w->calls++;
}

TEST(loop__signals_arrive_in_the_loop)
{
	struct world w = {.loop = loop_create()};
	const int signals[] = {SIGUSR1, SIGUSR2, 0};
	sigset_t old;

	sigprocmask(SIG_BLOCK, NULL, &old);
	assert_int_equal(loop_signals(w.loop, signals, on_signal, &w), 0);
	raise(SIGUSR2);
	assert_int_equal(w.calls, 0);
	loop_once(w.loop, 1000);
	assert_int_equal(w.calls, 1);
	assert_int_equal(w.last, SIGUSR2);
	assert_int_equal(w.word, 0);
	sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 7});
	loop_once(w.loop, 1000);
	assert_int_equal(w.last, SIGUSR1);
	assert_int_equal(w.word, 7);
	kill(getpid(), SIGUSR1);
	loop_once(w.loop, 1000);
	assert_int_equal(w.word, 0);
	loop_destroy(w.loop);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

static void on_signal_again(void *ctx, int signo)
{
	struct world *w = ctx;

	if (w->calls++ < 1000)
		raise(signo);
}

TEST(loop__a_signal_leaves_others_their_turn)
{
	struct world w = {.loop = loop_create()};
	const int signals[] = {SIGUSR1, 0};
	sigset_t old;

	sigprocmask(SIG_BLOCK, NULL, &old);
	assert_int_equal(loop_signals(w.loop, signals, on_signal_again, &w), 0);
	raise(SIGUSR1);
	loop_once(w.loop, 1000);
	assert_int_equal(w.calls, 1);
	w.calls = 1000;
	loop_once(w.loop, 1000);
	assert_int_equal(w.calls, 1001);
	loop_destroy(w.loop);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

TEST(loop__waits_no_longer_than_told)
{
	struct world w = {.loop = loop_create()};
	struct loop_timer *t = loop_timer_add(w.loop, count, &w);
	int64_t start = clock_mono_ms();

	loop_timer_set(t, 60000);
	loop_once(w.loop, 20);
	assert_in_range(clock_mono_ms() - start, 19, 50000);
	assert_int_equal(w.calls, 0);
	loop_destroy(w.loop);
	loop_destroy(NULL);
}
