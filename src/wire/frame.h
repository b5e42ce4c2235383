/*
 * frame.h - the control socket's frames: 4 bytes of length (big endian) and
 * one JSON object (afw-protocol(7)).
 */
#ifndef AFW_WIRE_FRAME_H
#define AFW_WIRE_FRAME_H

#include <cjson/cJSON.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/* Bytes of JSON in one frame: the longest message with each byte of it escaped
 * ("\\n"), and as much as one message for the other members. */
#define FRAME_MAX    (3 * 1024 * 1024)
#define WIRE_VERSION 1

/* Appends o as a frame; -1 with ERR_LIMIT if it is too large. */
int frame_put(struct buf *out, const cJSON *o, struct err *err);

/*
 * Takes one frame from the front of in: 1 and *o (to be deleted), 0 if it is
 * not whole yet, -1 if it is too large or not an object.
 */
int frame_take(struct buf *in, cJSON **o, struct err *err);

/*
 * Bytes inside a JSON string, for terminal input and relayed output: each byte
 * is the code point of its value (latin-1), NUL is U+0100. Both append to out;
 * the second returns -1 if text has a code point above U+0100 (out has what
 * came before it).
 */
void frame_encode_bytes(const char *data, size_t len, struct buf *out);
int frame_decode_bytes(const char *text, struct buf *out);

#endif
