/* typable.h - removes from a text what may not be typed into a terminal.
 * Pure. */
#ifndef AFW_SESSION_TYPABLE_H
#define AFW_SESSION_TYPABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * Appends text to out: CRLF as LF; without C0 controls such as ESC (but with LF
 * and TAB), DEL, C1 controls and invalid UTF-8; without line ends at the end of
 * the text. Returns the number of bytes removed (line ends not counted). A
 * second call changes nothing more.
 */
size_t typable_filter(const char *text, size_t len, struct buf *out);

/* Returns whether text has nothing except blanks, tabs and line ends. */
bool typable_blank(const char *text, size_t len);

#endif
