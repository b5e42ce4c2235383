/*
 * guarded.h - the supervisor's end of a guard (guard.h): reports how the
 * harness ends, and ends it by closing the socket.
 *
 *   supervisor -- guard -- the harness
 *
 * guarded_start() starts the guard of backends pty and pipe. The guard of a
 * service is started by service.c, the guard of backend tmux by tmux:
 * guarded_adopt().
 */
#ifndef AFW_TERMINAL_GUARDED_H
#define AFW_TERMINAL_GUARDED_H

#include "terminal/terminal.h"

/*
 * Waits for a guard's first report, for 10 s at most: 0 with the harness's pid;
 * -1 with errno, of fchdir or exec, ETIMEDOUT, or ECHILD if the guard has
 * ended.
 */
int guarded_wait_start(int sock, pid_t *pid);

/* Makes a guard kill every process below it, for a moment. False: it has ended.
 */
bool guarded_kill_tree(int sock);

/* Appends the command line of a guard that runs command; sock is its end of the
 * socket, fds as in terminal_start. */
void guarded_argv(int sock, bool tty, const int *fds, char *const *command,
		  struct strv *argv);

struct guarded {
	struct loop_io *io;
	struct terminal_events events; /* uses exited and lost */
	int fd;			       /* -1: closed */
	pid_t guard;		       /* 0: ended, or not our child */
	bool exited;		       /* the harness */
	bool lost, closing;
	int64_t kill_at;
};

/*
 * Starts the harness with fds as its 0, 1 and 2, which the caller closes; tty:
 * they are a terminal, which becomes its controlling one. g must not move. -1
 * with the real reason if exec failed.
 */
int guarded_start(struct guarded *g, const struct terminal_start *st,
		  const int fds[3], bool tty, pid_t *pid, struct err *err);
/* Owns fd from now on, the other end of a guard's socket, and reads it. guard:
 * 0 if it is not our child. g must not move. */
void guarded_adopt(struct guarded *g, struct loop *loop, int fd, pid_t guard,
		   const struct terminal_events *events);
void guarded_finish(struct guarded *g);

/* True if pid is the guard, which was reaped: handles its reports first, then
 * its end. */
bool guarded_reap(struct guarded *g, pid_t pid);

/* Members of terminal_backend (terminal.h) for a struct terminal that begins
 * with a struct guarded. */
void guarded_helpers(const struct terminal *t, pid_t out[TERMINAL_HELPERS]);
bool guarded_kill(const struct terminal *t);
bool guarded_reaped(struct terminal *t, pid_t pid, int wait_status);
bool guarded_end(struct terminal *t);

#endif
