/*
 * tmux_call.h - a call of tmux that runs beside us, one at a time, with a
 * deadline; for tmux.c only.
 */
#ifndef AFW_TERMINAL_TMUX_CALL_H
#define AFW_TERMINAL_TMUX_CALL_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/loop.h"
#include "base/mem.h"

enum tmux_call_end {
	TMUX_CALL_DONE,
	TMUX_CALL_FAILED, /* nothing of it was done */
	TMUX_CALL_MAYBE,  /* nobody knows: it was killed, or its server was */
};

struct tmux_call;

/* done: why in words where it did not end well, else "". Not called from
 * within tmux_call_start(). */
struct tmux_call *tmux_call_create(struct loop *loop,
				   void (*done)(void *ctx,
						enum tmux_call_end end,
						const char *why),
				   void *ctx);
/* Kills what runs, without a word. NULL does nothing. */
void tmux_call_destroy(struct tmux_call *c);

/* None runs. in and out are its standard input and output (-1: none), which
 * stay the caller's. That tmux cannot be run is told by done. */
void tmux_call_start(struct tmux_call *c, const struct strv *argv,
		     char *const *envp, int in, int out);

bool tmux_call_runs(const struct tmux_call *c);
pid_t tmux_call_pid(const struct tmux_call *c); /* 0: there is none */
void tmux_call_kill(struct tmux_call *c);

/* A child was reaped; false: it was not this one. */
bool tmux_call_reaped(struct tmux_call *c, pid_t pid, int status);

#endif
