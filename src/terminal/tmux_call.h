/*
 * tmux_call.h - runs calls of tmux on the loop, one at a time and in order,
 * with a deadline; for tmux.c only.
 */
#ifndef AFW_TERMINAL_TMUX_CALL_H
#define AFW_TERMINAL_TMUX_CALL_H

#include "terminal/tmux_start.h"

struct tmux_call;

/* All arguments are borrowed. The result of a call is reported by room,
 * failed and typed of the events, never from within a function here. */
struct tmux_call *tmux_call_create(struct loop *loop,
				   const struct tmux_started *s,
				   const struct terminal_events *events);
/* Kills the running call without an event. c may be NULL. */
void tmux_call_destroy(struct tmux_call *c);

/* As terminal_backend's write and query_typed. */
ssize_t tmux_call_write(struct tmux_call *c, const char *data, size_t len);
int tmux_call_query_typed(struct tmux_call *c);

pid_t tmux_call_pid(
    const struct tmux_call *c); /* the running call's pid; 0: none */
void tmux_call_kill(struct tmux_call *c);

/* Handles a reaped child; false: it was not this one. */
bool tmux_call_reaped(struct tmux_call *c, pid_t pid, int status);

#endif
