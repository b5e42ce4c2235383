/* guard.h - what makes a harness take a message as text; for guards. Pure. */
#ifndef AFW_ADAPTERS_GUARD_H
#define AFW_ADAPTERS_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct guard {
	const char *leading; /* first characters that are commands */
	char front;	     /* what goes in front of those */
	bool backslash;	     /* a trailing \ needs a space behind it */
	bool at_token;	     /* so does a trailing @word */
};

/* Appends text with what g says; leading blanks do not hide a command. */
void guard_apply(const struct guard *g, const char *text, size_t len,
		 struct buf *out);

#endif
