/*
 * tmux_call.h - calls of tmux that run beside us, one at a time, so that the
 * order is kept, with a deadline; for tmux.c only.
 */
#ifndef AFW_TERMINAL_TMUX_CALL_H
#define AFW_TERMINAL_TMUX_CALL_H

#include "terminal/tmux_start.h"

struct tmux_call;

/* Both stay the caller's. What became of a call is told by room, failed and
 * typed of the events, never from within a function here. */
struct tmux_call *tmux_call_create(struct loop *loop,
				   const struct tmux_started *s,
				   const struct terminal_events *events);
/* Kills what runs, without a word. NULL does nothing. */
void tmux_call_destroy(struct tmux_call *c);

/* As terminal_backend's write and ask_typed. */
ssize_t tmux_call_write(struct tmux_call *c, const char *data, size_t len);
int tmux_call_ask_typed(struct tmux_call *c);

pid_t tmux_call_pid(const struct tmux_call *c); /* 0: there is none */
void tmux_call_kill(struct tmux_call *c);

/* A child was reaped; false: it was not this one. */
bool tmux_call_reaped(struct tmux_call *c, pid_t pid, int status);

#endif
