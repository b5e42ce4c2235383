/*
 * guarded.h - the supervisor's end of a guard (guard.h): reports how what it
 * guards ends, and ends it by closing the socket.
 *
 *   supervisor -- guard -- the harness
 *
 * guarded_start() forks the guard of backends pty and pipe. It does not exec:
 * of its memory nearly all is shared with the supervisor, and it costs no time.
 * It keeps nothing open but its end of the socket. The guard of a service is
 * started as a program, that of backend tmux by tmux: guarded_adopt().
 */
#ifndef AFW_TERMINAL_GUARDED_H
#define AFW_TERMINAL_GUARDED_H

#include "terminal/terminal.h"

struct guarded {
	struct loop_io *io;
	struct terminal_events events; /* exited and lost */
	int fd;			       /* -1: closed */
	pid_t guard;		       /* 0: gone, or no child of ours */
	bool exited;		       /* the harness */
	bool lost, closing;
	int64_t kill_at;
};

/*
 * Starts the harness with fds as its 0, 1 and 2, which stay the caller's;
 * tty: they are a terminal, which becomes its own. g must stay where it is.
 * -1 with the real reason where exec failed.
 */
int guarded_start(struct guarded *g, const struct terminal_start *st,
		  const int fds[3], bool tty, pid_t *pid, struct err *err);
/* Takes fd over, the other end of a guard's socket, and listens to it. guard: 0
 * if it is no child of ours. g must stay where it is. */
void guarded_adopt(struct guarded *g, struct loop *loop, int fd, pid_t guard,
		   const struct terminal_events *events);
void guarded_finish(struct guarded *g);

/* If pid is the guard, which was reaped: what it has reported comes first, its
 * end after it. */
bool guarded_reap(struct guarded *g, pid_t pid);

/* The backend's members of these names (terminal.h), if its struct terminal
 * begins with a struct guarded. */
void guarded_helpers(const struct terminal *t, pid_t out[TERMINAL_HELPERS]);
bool guarded_kill(const struct terminal *t);
bool guarded_reaped(struct terminal *t, pid_t pid, int wait_status);
bool guarded_end(struct terminal *t);

#endif
