/* text_guard.h - changes a message so that a harness reads it as text. Pure. */
#ifndef AFW_ADAPTERS_SCREEN_TEXT_GUARD_H
#define AFW_ADAPTERS_SCREEN_TEXT_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * U+2060, word joiner: it has no width, and JavaScript's trim() leaves it. At
 * an end of a text it hides commands from a harness that trims first; the text
 * that the model reads looks unchanged. row_squeeze() removes it.
 */
#define GUARD_JOINER "\342\201\240"

struct guard {
	const char *leading; /* first characters that are commands */
	const char *front;   /* what to put before those */
	bool backslash;	     /* a trailing \ needs a space after it */
	const char *tokens;  /* so does a last word that begins with one */
	/* True for characters that the harness removes itself, or cannot show;
	 * NULL: none. */
	bool (*drops)(uint32_t cp);
	/* Texts that the harness reads as commands despite blanks around them,
	 * and what hides them, before or after: a "/name …" (not a path,
	 * "/tmp/x …"), and texts that are exactly one of words (NULL ends). */
	bool commands;
	const char *const *words;
	const char *before, *behind;
};

/* Removes the characters that g drops; returns the number of bytes removed. */
size_t guard_drop(const struct guard *g, struct buf *text);

/* Returns whether text begins with a leading character, or is one of words. */
bool guard_hits(const struct guard *g, const char *text, size_t len);

/* Appends text, changed as g requires; leading blanks do not hide a command. */
void guard_apply(const struct guard *g, const char *text, size_t len,
		 struct buf *out);

#endif
