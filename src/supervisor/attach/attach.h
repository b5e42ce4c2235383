/*
 * attach.h - terminals that show the session.
 *
 * The client hands its terminal over as a descriptor and we copy bytes
 * ourselves: no relay. A terminal of the harness's own size gets the
 * harness's output as it is (what screen.h allows of it); one of another size,
 * or where the harness has moved the tab stops, gets the
 * part of the screen model that fits, repainted at most 30 times a second.
 * The harness has the size of the terminal that was last typed into (tmux's
 * window-size latest). A terminal that is too slow loses frames, never
 * bytes in the middle: its backlog is thrown away and replaced by a redraw.
 */
#ifndef AFW_SUPERVISOR_ATTACH_ATTACH_H
#define AFW_SUPERVISOR_ATTACH_ATTACH_H

#include "supervisor/supervisor.h"

/* Somebody's terminal shows it. */
bool attach_is_on(const struct supervisor *sv);

#endif
