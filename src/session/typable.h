/* typable.h - what of a text may be typed into a terminal (DESIGN, "Send",
 * 2). Pure. */
#ifndef AFW_SESSION_TYPABLE_H
#define AFW_SESSION_TYPABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * Appends text to out: CRLF as LF; without ESC and the other C0 (but LF and
 * TAB), DEL, C1 and what is no UTF-8; without line ends at the very end.
 * Returns the bytes that were dropped (line ends not counted). Filtering
 * twice is filtering once.
 */
size_t typable_filter(const char *text, size_t len, struct buf *out);

/* True where there is nothing but blanks, tabs and line ends. */
bool typable_blank(const char *text, size_t len);

#endif
