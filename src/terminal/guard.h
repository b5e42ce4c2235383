/*
 * guard.h - the process between a supervisor and a harness, whose parent it
 * is. It tells over a socket what becomes of it, and when the other end of
 * that is closed, as it is when the supervisor is killed, it ends whatever is
 * left below it: a subreaper, so that is all that the harness ever started.
 *
 * Backend pty forks it from the supervisor (guarded.h), backend tmux has it
 * started by tmux (pane.c). A service has one, too
 * (supervisor/services/service.c). guarded.h is the supervisor's end of all.
 */
#ifndef AFW_TERMINAL_GUARD_H
#define AFW_TERMINAL_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

/* -- what it tells the supervisor ----------------------------------------- */

enum guard_event {
	GUARD_STARTED = 1, /* value: the pid */
	GUARD_FAILED,	   /* value: errno of fchdir or exec */
	GUARD_EXITED,	   /* value: as from waitpid() */
};

struct guard_report {
	int event;
	int value;
};

/* What it tells next: 1 with *out; 0, not yet; -1, it is gone. */
int guard_read(int sock, struct guard_report *out);

/*
 * Waits for its first word, for 10 s at most: 0 with the harness's pid; -1
 * with errno, of fchdir or exec or ETIMEDOUT, ECHILD where the guard is gone.
 */
int guard_wait_start(int sock, pid_t *pid);

/* Tells it to kill all that is below it, for a moment. False: it is gone. */
bool guard_kill(int sock);

/* -- its own process ------------------------------------------------------- */

#define GUARD_FDS 4

struct guard_start {
	int dir;	   /* open */
	const int *fds;	   /* terminal_start.fds; are closed when it has them */
	char *const *argv; /* looked up in the PATH of envp */
	char *const *envp; /* both are wiped when the harness has them */
	bool holds_terminal; /* open, until the harness's tree is gone */
	bool no_terminal;    /* descriptors 0 to 2 are none */
};

/* Before anything else: nothing but the socket ends this process. Returns a
 * descriptor for guard_run(), or -1. */
int guard_init(void);

/*
 * Starts the harness with the terminal that is descriptor 0 to 2, which is no
 * other session's, as its controlling one (but no_terminal), and stays until
 * its tree is gone. Returns an exit code.
 */
int guard_run(const struct guard_start *st, int sock, int signals);

#endif
