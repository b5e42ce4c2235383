/*
 * loop.h - an event loop in one thread: descriptors, timers, signals.
 *
 * epoll(7) underneath: poll(2) over the ten descriptors of a supervisor is a
 * quarter of what a spinner in its terminal costs. Handlers may add and remove
 * anything, including themselves. A struct loop_io or loop_timer stays valid
 * until it is removed.
 */
#ifndef AFW_BASE_LOOP_H
#define AFW_BASE_LOOP_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

struct loop;
struct loop_io;
struct loop_timer;

/* revents are poll's: POLLIN, POLLOUT, POLLHUP, POLLERR. */
typedef void (*loop_io_fn)(void *ctx, int fd, short revents);
typedef void (*loop_fn)(void *ctx);
typedef void (*loop_signal_fn)(void *ctx, int signo);

struct loop *loop_create(void);
void loop_destroy(struct loop *loop); /* frees everything in it; closes no fd */

/* Calls fn for events on fd: not a regular file, and each only once. The caller
 * closes fd, after loop_io_remove(). */
struct loop_io *loop_io_add(struct loop *loop, int fd, short events,
			    loop_io_fn fn, void *ctx);
void loop_io_events(struct loop_io *io, short events);
void loop_io_remove(struct loop_io *io); /* may be NULL */

/*
 * Creates a timer, not set; fn is called once, delay_ms after it is set.
 */
struct loop_timer *loop_timer_add(struct loop *loop, loop_fn fn, void *ctx);
void loop_timer_set(struct loop_timer *t, int64_t delay_ms);
/* As loop_timer_set, but never later than it is set already. */
void loop_timer_set_earlier(struct loop_timer *t, int64_t delay_ms);
void loop_timer_stop(struct loop_timer *t);
bool loop_timer_active(const struct loop_timer *t);
void loop_timer_remove(struct loop_timer *t); /* may be NULL */

/*
 * Blocks the signals in the list (0 ends it) and calls fn for each that
 * arrives (signalfd). Once per loop.
 */
int loop_signals(struct loop *loop, const int *signals, loop_signal_fn fn,
		 void *ctx);

/* For fn: returns the number that was sent with the signal (sigqueue(3)), or
 * 0. */
int loop_signal_value(const struct loop *loop);

/* Waits for and handles one round of events; loop_run() repeats it until
 * loop_quit(). */
void loop_once(struct loop *loop, int64_t max_wait_ms);
void loop_run(struct loop *loop);
void loop_quit(struct loop *loop);

#endif
