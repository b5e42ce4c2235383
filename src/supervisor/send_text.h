/*
 * send_text.h - a message's text beside what a terminal and a harness make of
 * it. Pure. What may be typed at all: base/typable.h.
 */
#ifndef AFW_SUPERVISOR_SEND_TEXT_H
#define AFW_SUPERVISOR_SEND_TEXT_H

#include <stdbool.h>
#include <stddef.h>

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
