/*
 * prompt.h - whether what a harness says that it was given is what was sent.
 * Pure.
 */
#ifndef AFW_SUPERVISOR_SENDER_PROMPT_H
#define AFW_SUPERVISOR_SENDER_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * True where prompt, as a hook reported it (printable, white space changed,
 * perhaps cut after prompt_max bytes or behind a line), can be this text. One
 * that is left out ("") says nothing against it: true.
 */
bool prompt_is_of(const char *text, size_t len, const char *prompt,
		  size_t prompt_max);

#endif
