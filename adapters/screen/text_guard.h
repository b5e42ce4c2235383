/* text_guard.h - what makes a harness take a message as text. Pure. */
#ifndef AFW_ADAPTERS_SCREEN_TEXT_GUARD_H
#define AFW_ADAPTERS_SCREEN_TEXT_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * U+2060, word joiner: no width, and no blank to JavaScript's trim(). At
 * an end of a text it hides commands from a harness that trims first; what
 * the model reads looks as it was written. row_squeeze() knows it.
 */
#define GUARD_JOINER "\342\201\240"

struct guard {
	const char *leading; /* first characters that are commands */
	char front;	     /* what goes in front of those */
	bool backslash;	     /* a trailing \ needs a space behind it */
	bool at_token;	     /* so does a trailing @word */
	/* The characters that the harness takes out itself, or cannot show;
	 * NULL: none. */
	bool (*drops)(uint32_t cp);
	/* What is understood wherever blanks stand, and what hides it, in
	 * front or behind: a "/name …" (a path, "/tmp/x …", is none), and
	 * texts that are one of words (NULL ends) and nothing else. */
	bool commands;
	const char *const *words;
	const char *before, *behind;
};

/* Removes what g drops; returns the bytes. */
size_t guard_drop(const struct guard *g, struct buf *text);

/* Appends text as g says; leading blanks do not hide a command. */
void guard_apply(const struct guard *g, const char *text, size_t len,
		 struct buf *out);

#endif
