/*
 * tmux_pane.h - what the supervisor and the processes inside the tmux server
 * say to each other, over a socket in the runtime directory.
 *
 * Both connect and send one letter with a descriptor: TMUX_PANE_PIPE the end
 * of tmux's pipe that has the pane's output, and is gone; TMUX_PANE_TTY the
 * pane's terminal. The latter is then sent a uint32_t, with the directory and
 * the harness's further descriptors beside it, and so many bytes of strings,
 * each ended by a NUL: number of arguments, arguments, environment. It is the
 * harness's guard from then on (guard.h).
 */
#ifndef AFW_TERMINAL_TMUX_PANE_H
#define AFW_TERMINAL_TMUX_PANE_H

#define TMUX_PANE_PIPE	    'o'
#define TMUX_PANE_TTY	    't'
#define TMUX_PANE_START_MAX (8 * 1024 * 1024)

#endif
