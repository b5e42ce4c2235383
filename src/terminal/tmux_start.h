/* tmux_start.h - from nothing to a harness in a pane; for tmux.c only. */
#ifndef AFW_TERMINAL_TMUX_START_H
#define AFW_TERMINAL_TMUX_START_H

#include "terminal/terminal.h"

struct tmux_started {
	int version; /* 303 is 3.3 */
	char *socket, *pane_socket, *config;
	struct strv env; /* of every tmux that we start */
	char pane_id[16];
	pid_t server, pane; /* 0: gone */
	int output_fd;	    /* the pane's output; not blocking */
	int tty_fd;	    /* the pane's terminal */
	int pane_fd; /* socket to the pane's process; not blocking; the caller's
		      */
	bool closing; /* its end has begun: nothing is typed any more */
};

/* Blocks until exec has happened or failed. With -1 nothing is left. */
int tmux_start(const struct terminal_start *st, struct tmux_started *s,
	       pid_t *pid, struct err *err);

/*
 * True where the server's socket is there. Else tells it to make another,
 * which takes a moment; and cannot where the directory of the runtime
 * directory is gone too.
 */
bool tmux_start_listens(const struct tmux_started *s);

/* Ends what still runs, at once, and removes the files. */
void tmux_start_undo(struct tmux_started *s);

/* terminal_backend's check and term. */
int tmux_start_check(struct err *err);
const char *tmux_start_term(void);

#endif
