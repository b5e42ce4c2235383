/*
 * pipe.h - a harness without a terminal: its standard input, output and error
 * are three pipes, the last two kept apart, with a guard beside it.
 *
 * It is in no list of backends: with no screen there is nothing to attach to,
 * to capture or to read the activity from. Who takes it reads the pipes
 * (supervisor/stdio.h).
 */
#ifndef AFW_TERMINAL_PIPE_H
#define AFW_TERMINAL_PIPE_H

#include "terminal/guarded.h"

struct pipe {
	struct guarded guarded;
	int fd[3]; /* our ends, that do not block; -1: closed */
};

/* As start() of a backend; of st->events exited and lost are called. p must
 * stay where it is. */
int pipe_start(struct pipe *p, const struct terminal_start *st, pid_t *pid,
	       struct err *err);
void pipe_finish(struct pipe *p);

#endif
