/*
 * foreground.h - a child process that the command waits for, and ends with all
 * its descendants, detached ones too. Until foreground_end() this process is a
 * subreaper and has the signals that end it blocked.
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
	pid_t pid; /* set by the caller that starts it */
	int status;
	bool ended;
	sigset_t signals, before;
	/* The first FOREGROUND_FDS belong to the caller, to be polled as well
	 * (-1: none); the last is our own. */
	struct pollfd fds[FOREGROUND_FDS + 1];
};

/* Call it before the child is started. */
void foreground_begin(struct foreground *f);

/* Also waits for this signal. */
void foreground_catch(struct foreground *f, int signo);

/* Waits. Returns 0 when the child has ended, with its status; -1 at the
 * deadline (clock_mono_ms()); FOREGROUND_READY if one of the caller's fds is
 * ready; otherwise the number of the signal that arrived. */
#define FOREGROUND_READY (-2)
int foreground_wait(struct foreground *f, int64_t until,
		    struct signalfd_siginfo *signal);

/* Ends the child and its descendants: TERM first, then KILL until no process is
 * left. */
void foreground_end(struct foreground *f);

void foreground_finish(const struct foreground *f);

/* Runs a program on the user's terminal until it ends. The program gets the
 * interrupts that are typed there. *status is as from waitpid(2). */
int foreground_lend(const struct spawn *sp, int *status, struct err *err);

#endif
