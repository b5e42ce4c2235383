/* pty.h - backend pty: the supervisor owns a pseudo-terminal. */
#ifndef AFW_TERMINAL_PTY_H
#define AFW_TERMINAL_PTY_H

#include "terminal/terminal.h"

extern const struct terminal_backend terminal_pty;

#endif
