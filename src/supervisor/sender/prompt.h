/*
 * prompt.h - compares the prompt that a harness reports with the message that
 * was sent. Pure.
 */
#ifndef AFW_SUPERVISOR_SENDER_PROMPT_H
#define AFW_SUPERVISOR_SENDER_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns whether prompt, as a hook reported it, can be this text. A reported
 * prompt is printable, has changed white space, and may be cut after prompt_max
 * bytes or at the end of a line. Returns true for an empty prompt, which proves
 * nothing.
 */
bool prompt_is_of(const char *text, size_t len, const char *prompt,
		  size_t prompt_max);

#endif
