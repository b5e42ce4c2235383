/*
 * door.h - the agent door: a FIFO in the session's own home through which
 * the harness's hooks speak, and bridges knock (bridge.h). Events in, nothing
 * out; what comes through it is only ever read as a reading of this session's
 * activity, or as that knock.
 */
#ifndef AFW_SUPERVISOR_DOOR_DOOR_H
#define AFW_SUPERVISOR_DOOR_DOOR_H

/*
 * The program's other side, `afw-supervisor hook EVENT`: reads the hook's
 * JSON from standard input (at most 1 MiB, at most 2 s), shortens it until it
 * fits one atomic write, and puts it into $AF_DOOR. Prints nothing; always
 * exits 0: a hook that fails must not disturb the harness.
 */
int door_hook(const char *event);

#endif
