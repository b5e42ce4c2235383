/*
 * pipe.h - backend pipe: the harness's standard input, output and error are
 * three pipes, the last two separate, with a guard beside it.
 *
 * It is not in the list of backends: without a screen, attach, capture and the
 * activity cannot work. The headless server uses it.
 */
#ifndef AFW_TERMINAL_PIPE_H
#define AFW_TERMINAL_PIPE_H

#include "terminal/terminal.h"

extern const struct terminal_backend terminal_pipe;

#endif
