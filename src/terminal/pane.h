/* pane.h - afw-guard inside a tmux pane (terminal/tmux_pane.h). */
#ifndef AFW_TERMINAL_PANE_H
#define AFW_TERMINAL_PANE_H

/* `afw-guard pane SOCKET`: the pane's process. Returns an exit code. */
int pane_run(const char *socket_path);

/* `afw-guard pipe SOCKET`: passes its standard input to the supervisor.
 * Returns an exit code. */
int pane_pipe(const char *socket_path);

#endif
