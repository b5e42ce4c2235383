/*
 * door.h - the agent door: a FIFO in the session's home, through which the
 * harness's hooks report events and bridges ask for a connection (bridge.h). It
 * is one-way. Its data is only ever used as a reading of this
 * session's activity, or as such a request.
 */
#ifndef AFW_SUPERVISOR_DOOR_DOOR_H
#define AFW_SUPERVISOR_DOOR_DOOR_H

/*
 * Runs the program's other side, `afw-supervisor hook EVENT`: reads the hook's
 * JSON from standard input (at most 1 MiB, at most 2 s), shortens it until it
 * fits one atomic write, and writes it to $AF_DOOR. Prints nothing; always
 * returns 0, because a hook that fails must not disturb the harness.
 */
int door_hook(const char *event);

#endif
