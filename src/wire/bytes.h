/*
 * bytes.h - bytes inside JSON strings: each byte is the code point of its
 * value (latin-1), NUL is U+0100. For terminal input and relayed output.
 */
#ifndef AFW_WIRE_BYTES_H
#define AFW_WIRE_BYTES_H

#include <stddef.h>

#include "base/buf.h"

/* Appends len bytes as such text. */
void bytes_to_text(const char *data, size_t len, struct buf *out);

/* The other way, appended; -1 where text has a code point above U+0100 (what
 * came before it stands in out then). */
int bytes_from_text(const char *text, struct buf *out);

#endif
