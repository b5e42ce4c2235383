/*
 * guard.h - the process between a supervisor and a harness, and the harness's
 * parent. It reports over a socket how the harness starts and ends. When the
 * other end is closed, also because the supervisor was killed, it ends every
 * process below it: it is a subreaper, so these are all that the harness
 * started.
 *
 * It is a program of its own, afw-guard, linked statically if possible: there
 * is one for each session, and it needs a quarter of the memory that a copy of
 * the supervisor has. In backend tmux tmux starts it (pane.c). A service has
 * one, too (supervisor/services/service.c). guarded.h is the supervisor's side.
 */
#ifndef AFW_TERMINAL_GUARD_H
#define AFW_TERMINAL_GUARD_H

#include <stdbool.h>

/* -- what it tells the supervisor ----------------------------------------- */

enum guard_event {
	GUARD_STARTED = 1, /* value: the pid */
	GUARD_FAILED,	   /* value: errno of fchdir or exec */
	GUARD_EXITED,	   /* value: as from waitpid() */
	GUARD_ALONE,	   /* nothing is left of what the harness started */
};

struct guard_report {
	int event;
	int value;
};

/* -- its own process ------------------------------------------------------- */

#define GUARD_FDS 3

struct guard_start {
	int dir; /* open */
	const int
	    *fds; /* terminal_start.fds; closed when the harness has them */
	char *const *argv;   /* found in the PATH of envp */
	char *const *envp;   /* both are wiped when the harness has them */
	bool holds_terminal; /* keep it open until the harness's tree has ended
			      */
	bool no_terminal;    /* descriptors 0 to 2 are not a terminal */
};

/* Call it first: makes the process ignore signals, so that only the socket ends
 * it. Returns a descriptor for guard_run(), or -1. */
int guard_init(void);

/*
 * Starts the harness with the terminal of descriptors 0 to 2, which must not be
 * another session's, as its controlling one (unless no_terminal), and returns
 * an exit code when its tree has ended.
 */
int guard_run(const struct guard_start *st, int sock, int signals);

#endif
