/* tmux_start.h - starts a tmux server with a harness in a pane; for tmux.c
 * only. */
#ifndef AFW_TERMINAL_TMUX_START_H
#define AFW_TERMINAL_TMUX_START_H

#include "terminal/terminal.h"

struct tmux_started {
	int version; /* 303 is 3.3 */
	char *socket, *pane_socket, *config;
	struct strv env; /* environment of every tmux that we start */
	char pane_id[16];
	pid_t server, pane; /* 0: ended */
	int output_fd;	    /* the pane's output; nonblocking */
	int tty_fd;	    /* the pane's terminal */
	int pane_fd;  /* socket to the pane's process; nonblocking; owned by the
			 caller */
	bool closing; /* its end has begun: no more typing */
};

/* Blocks until exec has succeeded or failed. After -1 nothing is left. */
int tmux_start(const struct terminal_start *st, struct tmux_started *s,
	       pid_t *pid, struct err *err);

/*
 * True if the server's socket exists. Otherwise makes the server create it
 * again, which takes a moment, and fails if the parent of the runtime directory
 * is gone too.
 */
bool tmux_start_listens(const struct tmux_started *s);

/* Kills the processes that are still running, and removes the files. */
void tmux_start_undo(struct tmux_started *s);

/* terminal_backend's check and term. */
int tmux_start_check(struct err *err);
const char *tmux_start_term(void);

#endif
