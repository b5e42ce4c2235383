/*
 * attach.h - shows the session on the terminals of clients.
 *
 * The client passes the descriptor of its terminal, and the supervisor copies
 * the bytes itself, without a relay. A terminal of the harness's own size gets
 * the harness's output unchanged (as far as screen.h allows). A terminal of
 * another size, or any terminal if the harness has moved the tab stops, gets
 * the part of the screen model that fits, repainted at most 30 times a second.
 * The harness has the size of the terminal that was last typed into (like
 * tmux's window-size latest). If a terminal is too slow, its backlog is dropped
 * and replaced by a redraw: it loses whole frames, never bytes in the middle of
 * one.
 */
#ifndef AFW_SUPERVISOR_ATTACH_ATTACH_H
#define AFW_SUPERVISOR_ATTACH_ATTACH_H

#include "supervisor/supervisor.h"

/* Returns whether a terminal shows the session. */
bool attach_is_on(const struct supervisor *sv);

#endif
