/*
 * message_id.h - names for messages, as OpenCode makes them (its Identifier,
 * ascending; read in 1.18): "msg_", 12 hexadecimal digits of a time that
 * counts up within a millisecond, 14 random letters and digits. OpenCode
 * orders messages by these names, so ours must sort like its own: a question
 * that sorts behind its answer would be answered again and again.
 */
#ifndef AFW_OPENCODE_MESSAGE_ID_H
#define AFW_OPENCODE_MESSAGE_ID_H

#include <stdint.h>

#define MESSAGE_ID_SIZE 31 /* with the NUL */

/* now: wall clock, ms. Each is greater than the one before it. */
void message_id(int64_t now_ms, char out[MESSAGE_ID_SIZE]);

#endif
