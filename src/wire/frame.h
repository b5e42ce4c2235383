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

/* The largest JSON of a frame: the longest message with each byte escaped
 * ("\\n"), and room for the other members. */
#define FRAME_MAX    (3 * 1024 * 1024)
#define WIRE_VERSION 1

/* Appends o as a frame; -1 with ERR_LIMIT if it is too large. */
int frame_append(struct buf *out, const cJSON *o, struct err *err);

/*
 * Removes one frame from the start of in: 1 and *o (to be deleted), 0 if it is
 * not complete yet, -1 if it is too large or not an object.
 */
int frame_extract(struct buf *in, cJSON **o, struct err *err);

/*
 * Encode and decode bytes in a JSON string, for terminal input and relayed
 * output: each byte is the code point of its value (latin-1), NUL is U+0100.
 * Both append to out; the second returns -1 if text has a code point above
 * U+0100 (out has the bytes before it).
 */
void frame_encode_bytes(const char *data, size_t len, struct buf *out);
int frame_decode_bytes(const char *text, struct buf *out);

#endif
