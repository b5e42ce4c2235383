/*
 * foreground.h - a child that is waited for, and ended with all that it
 * started, however detached: this process is a subreaper until the finish, and
 * has the signals that end it blocked.
 */
#ifndef AFW_COMMANDS_CLI_FOREGROUND_H
#define AFW_COMMANDS_CLI_FOREGROUND_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/signalfd.h>
#include <sys/types.h>

#include "base/spawn.h"

#define FOREGROUND_FDS 3

struct foreground {
	pid_t pid; /* who starts it sets it */
	int status;
	bool ended;
	sigset_t signals, before;
	/* The first FOREGROUND_FDS are the caller's, to be waited for as well
	 * (-1: none); then ours. */
	struct pollfd fds[FOREGROUND_FDS + 1];
};

/* Before the child is started. */
void foreground_begin(struct foreground *f);

/* This signal is to be waited for, too. */
void foreground_catch(struct foreground *f, int signo);

/* 0: it has ended, with status; -1: it is that late (clock_mono_ms());
 * FOREGROUND_READY: one of the caller's fds is; else the signal that came. */
#define FOREGROUND_READY (-2)
int foreground_wait(struct foreground *f, int64_t until,
		    struct signalfd_siginfo *signal);

/* Ends it and what it started: TERM, then KILL until nothing is left. */
void foreground_end(struct foreground *f);

void foreground_finish(const struct foreground *f);

/* Runs a program on our terminal to its end, by itself: interrupts that are
 * typed there are the program's. *status is as from waitpid(2). */
int foreground_lend(const struct spawn *sp, int *status, struct err *err);

#endif
