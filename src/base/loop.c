/*
 * loop.c - descriptors, timers and signals in one thread.
 *
 * An object removed while handlers run is only marked, and freed at the end of
 * the round, so that a handler can remove itself or another.
 */
#include "base/loop.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"

#define READY_MAX 32 /* events of one round; the rest follows in the next */

struct loop_io {
	struct loop *loop;
	struct loop_io *next;
	int fd;
	short events, revents;
	bool dead;
	loop_io_fn fn;
	void *ctx;
};

struct loop_timer {
	struct loop *loop;
	struct loop_timer *next;
	int64_t due_ms; /* monotonic; -1: not set */
	bool dead;
	loop_fn fn;
	void *ctx;
};

struct loop {
	struct loop_io *ios;
	struct loop_timer *timers;
	int epoll_fd;
	bool quit;
	int signal_fd;
	loop_signal_fn signal_fn;
	int signal_word;
	void *signal_ctx;
};

struct loop *loop_create(void)
{
	struct loop *loop = mem_alloc(sizeof *loop);

	loop->signal_fd = -1;
	loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (loop->epoll_fd < 0)
		abort(); /* without descriptors or memory from the start */
	return loop;
}

static void sweep(struct loop *loop, bool all)
{
	for (struct loop_io **p = &loop->ios; *p;) {
		struct loop_io *io = *p;

		if (all || io->dead) {
			*p = io->next;
			free(io);
		} else {
			p = &io->next;
		}
	}
	for (struct loop_timer **p = &loop->timers; *p;) {
		struct loop_timer *t = *p;

		if (all || t->dead) {
			*p = t->next;
			free(t);
		} else {
			p = &t->next;
		}
	}
}

void loop_destroy(struct loop *loop)
{
	if (!loop)
		return;
	sweep(loop, true);
	file_close(loop->signal_fd);
	file_close(loop->epoll_fd);
	free(loop);
}

/* The kernel always reports HUP and ERR, so a descriptor without events is
 * removed. */
static void watch(struct loop_io *io, short events)
{
	struct epoll_event e = {.events = (uint32_t)events, .data.ptr = io};
	int op = !events      ? EPOLL_CTL_DEL
		 : io->events ? EPOLL_CTL_MOD
			      : EPOLL_CTL_ADD;

	if (events != io->events &&
	    epoll_ctl(io->loop->epoll_fd, op, io->fd, &e) < 0)
		abort(); /* a closed descriptor, or one added twice */
	io->events = events;
}

struct loop_io *loop_io_add(struct loop *loop, int fd, short events,
			    loop_io_fn fn, void *ctx)
{
	struct loop_io *io = mem_alloc(sizeof *io);

	*io = (struct loop_io){
	    .loop = loop, .next = loop->ios, .fd = fd, .fn = fn, .ctx = ctx};
	loop->ios = io;
	watch(io, events);
	return io;
}

void loop_io_events(struct loop_io *io, short events)
{
	watch(io, events);
}

void loop_io_remove(struct loop_io *io)
{
	if (!io)
		return;
	watch(io, 0);
	io->dead = true;
}

struct loop_timer *loop_timer_add(struct loop *loop, loop_fn fn, void *ctx)
{
	struct loop_timer *t = mem_alloc(sizeof *t);

	*t = (struct loop_timer){.loop = loop,
				 .next = loop->timers,
				 .due_ms = -1,
				 .fn = fn,
				 .ctx = ctx};
	loop->timers = t;
	return t;
}

void loop_timer_set(struct loop_timer *t, int64_t delay_ms)
{
	t->due_ms = clock_mono_ms() + (delay_ms > 0 ? delay_ms : 0);
}

void loop_timer_set_earlier(struct loop_timer *t, int64_t delay_ms)
{
	int64_t due = clock_mono_ms() + (delay_ms > 0 ? delay_ms : 0);

	if (t->due_ms < 0 || due < t->due_ms)
		t->due_ms = due;
}

void loop_timer_stop(struct loop_timer *t)
{
	if (t)
		t->due_ms = -1;
}

bool loop_timer_active(const struct loop_timer *t)
{
	return t->due_ms >= 0;
}

void loop_timer_remove(struct loop_timer *t)
{
	if (t) {
		t->dead = true;
		t->due_ms = -1;
	}
}

static void on_signal_fd(void *ctx, int fd, short revents)
{
	struct loop *loop = ctx;
	struct signalfd_siginfo si;

	/* One per round: some signals come as fast as they are handled. */
	if (read(fd, &si, sizeof si) == sizeof si) {
		loop->signal_word = si.ssi_code == SI_QUEUE ? si.ssi_int : 0;
		loop->signal_fn(loop->signal_ctx, (int)si.ssi_signo);
	}
}

int loop_signal_value(const struct loop *loop)
{
	return loop->signal_word;
}

int loop_signals(struct loop *loop, const int *signals, loop_signal_fn fn,
		 void *ctx)
{
	sigset_t set;

	sigemptyset(&set);
	for (; *signals; signals++)
		sigaddset(&set, *signals);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -1;
	loop->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (loop->signal_fd < 0)
		return -1;
	loop->signal_fn = fn;
	loop->signal_ctx = ctx;
	loop_io_add(loop, loop->signal_fd, POLLIN, on_signal_fd, loop);
	return 0;
}

static int wait_ms(struct loop *loop, int64_t max_wait_ms)
{
	int64_t now = clock_mono_ms(), wait = max_wait_ms;

	for (struct loop_timer *t = loop->timers; t; t = t->next) {
		int64_t left = t->due_ms - now;

		if (t->due_ms < 0)
			continue;
		if (left < 0)
			left = 0;
		if (wait < 0 || left < wait)
			wait = left;
	}
	return wait > 3600000 ? 3600000 : (int)wait;
}

void loop_once(struct loop *loop, int64_t max_wait_ms)
{
	struct epoll_event ready[READY_MAX];
	int n = epoll_wait(loop->epoll_fd, ready, READY_MAX,
			   wait_ms(loop, max_wait_ms));
	int64_t now;

	/* The newest first, signals last: a child's end is handled after its
	 * output. */
	for (int i = 0; i < n; i++)
		((struct loop_io *)ready[i].data.ptr)->revents =
		    (short)ready[i].events;
	for (struct loop_io *io = loop->ios; n > 0 && io; io = io->next) {
		short revents = io->revents;

		io->revents = 0;
		if (revents && !io->dead)
			io->fn(io->ctx, io->fd, revents);
	}
	now = clock_mono_ms();
	for (struct loop_timer *t = loop->timers; t; t = t->next) {
		if (t->dead || t->due_ms < 0 || t->due_ms > now)
			continue;
		t->due_ms = -1;
		t->fn(t->ctx);
	}
	sweep(loop, false);
}

void loop_run(struct loop *loop)
{
	loop->quit = false;
	while (!loop->quit)
		loop_once(loop, -1);
}

void loop_quit(struct loop *loop)
{
	loop->quit = true;
}
