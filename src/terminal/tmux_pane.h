/*
 * tmux_pane.h - the messages between the supervisor and the processes inside
 * the tmux server, over a socket in the runtime directory.
 *
 * Both processes connect and send one letter with a descriptor: TMUX_PANE_PIPE
 * the end of tmux's pipe with the pane's output, and exits; TMUX_PANE_TTY the
 * pane's terminal. The latter then gets a uint32_t, with the directory and the
 * harness's further descriptors, and that many bytes of strings, each ended by
 * a NUL: number of arguments, arguments, environment. After that it is the
 * harness's guard (guard.h).
 */
#ifndef AFW_TERMINAL_TMUX_PANE_H
#define AFW_TERMINAL_TMUX_PANE_H

#define TMUX_PANE_PIPE	    'o'
#define TMUX_PANE_TTY	    't'
#define TMUX_PANE_START_MAX (8 * 1024 * 1024)

#endif
