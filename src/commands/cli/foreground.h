/*
 * foreground.h - a child that is waited for, and ended with all that it
 * started, however detached: this process is a subreaper until the finish, and
 * has the signals that end it blocked.
 */
#ifndef AFW_COMMANDS_CLI_FOREGROUND_H
#define AFW_COMMANDS_CLI_FOREGROUND_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

struct foreground {
	pid_t pid; /* who starts it sets it */
	int status;
	sigset_t signals, before;
};

/* Before the child is started. */
void foreground_begin(struct foreground *f);

/* 0: it has ended, with status; -1: it is that late (clock_mono_ms()); else
 * the signal that came. */
int foreground_wait(struct foreground *f, int64_t until, siginfo_t *signal);

/* Ends it and what it started: TERM, then KILL until nothing is left. */
void foreground_end(struct foreground *f);

void foreground_finish(const struct foreground *f);

#endif
