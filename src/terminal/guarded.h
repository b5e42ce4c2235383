/*
 * guarded.h - a guard (guard.h) that is forked from the supervisor, and what
 * is heard of it: what backends pty and pipe have in common.
 *
 *   supervisor -- guard -- the harness
 *
 * It does not exec: of its memory nearly all is shared with the supervisor,
 * and it costs no time. It keeps nothing open but its end of a socket, and
 * tells the harness's end over that.
 */
#ifndef AFW_TERMINAL_GUARDED_H
#define AFW_TERMINAL_GUARDED_H

#include "terminal/terminal.h"

struct guarded {
	struct loop_io *io;
	struct terminal_events events;
	int fd;	     /* -1: closed */
	pid_t guard; /* 0: gone */
	bool exited; /* the harness */
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
void guarded_finish(struct guarded *g);

/* The backend's members of these names (terminal.h), if its struct terminal
 * begins with a struct guarded. */
void guarded_helpers(const struct terminal *t, pid_t out[TERMINAL_HELPERS]);
bool guarded_kill(const struct terminal *t);
bool guarded_reaped(struct terminal *t, pid_t pid, int wait_status);
bool guarded_end(struct terminal *t);

#endif
