/* tmux.h - backend tmux: the terminal is a pane of tmux. */
#ifndef AFW_TERMINAL_TMUX_H
#define AFW_TERMINAL_TMUX_H

#include "terminal/terminal.h"

extern const struct terminal_backend terminal_tmux;

#endif
