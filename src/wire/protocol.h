/*
 * protocol.h - the messages of a session's control socket (afw-protocol(7)).
 *
 * The supervisor greets:
 * {"ev":"system:ready","v":1,"id","name","pid","version"}. A request
 * (requests.h) has "cmd" and "seq"; its reply has the same "seq", and "ok":true
 * with more members, or "ok":false with "code", "error" and "hint". Events have
 * "ev" and no "seq".
 */
#ifndef AFW_WIRE_PROTOCOL_H
#define AFW_WIRE_PROTOCOL_H

#include <cjson/cJSON.h>

#define PROTOCOL_SCREEN_INTERVAL_MS 50

#define PROTOCOL_TEXT_MAX (1024 * 1024) /* bytes of one message */

/* Sets how a process ended, from waitpid()'s status: code and signal, one of
 * them null; a signal by its name ("SIGKILL"). */
void protocol_set_end(cJSON *o, int wait_status);

#endif
