/*
 * send_text.h - a message's text, made safe to type (DESIGN, "Send", 2).
 * Pure.
 */
#ifndef AFW_SUPERVISOR_SEND_TEXT_H
#define AFW_SUPERVISOR_SEND_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * Appends text to out: CRLF as LF; without ESC and the other C0 (but LF and
 * TAB), DEL, C1 and what is no UTF-8; without line ends at the very end.
 * Returns the bytes that were dropped (line ends not counted).
 */
size_t send_text_filter(const char *text, size_t len, struct buf *out);

/* True where there is nothing but blanks, tabs and line ends. */
bool send_text_blank(const char *text, size_t len);

/* Bytes of the longest line, its end not counted. */
size_t send_text_longest_line(const char *text, size_t len);

/*
 * True where prompt, as a hook reported it (printable, white space changed,
 * perhaps cut after prompt_max bytes or behind a line), can be this text.
 * A prompt that the harness wrapped (Claude's "<pasted_content") or left
 * out ("") says nothing against it: true.
 */
bool send_text_is_prompt(const char *text, size_t len, const char *prompt,
			 size_t prompt_max);

#endif
