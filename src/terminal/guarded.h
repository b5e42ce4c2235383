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

/* As the backend's members of these names (terminal.h). */
void guarded_helpers(const struct guarded *g, pid_t out[TERMINAL_HELPERS]);
bool guarded_reaped(struct guarded *g, pid_t pid);
bool guarded_end(struct guarded *g);

#endif
