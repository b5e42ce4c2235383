/*
 * ini_edit.h - changes one key of an INI file, and nothing else: comments,
 * order, blanks and line ends stay the same, byte for byte.
 *
 * Pure. The result is read again as a check: a value that would be read
 * differently is refused.
 */
#ifndef AFW_CONFIG_INI_EDIT_H
#define AFW_CONFIG_INI_EDIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct ini_change {
	const char *section; /* "": before the first section */
	const char *key;
	const char
	    *value;   /* '\n': continues in an indented line; NULL: unset */
	bool adds_up; /* several lines are one value: the others are removed */
};

/*
 * Appends the changed text to out. Set changes the last line that sets the key,
 * or adds one: below the comment "#key =", else after the last line of its
 * section, which is added at the end if it is missing. Unset removes all lines
 * that set the key; ERR_FAILED if there is none. name is for errors, such as a
 * text that is not an INI file.
 */
int ini_edit(const char *name, const char *text, size_t len,
	     const struct ini_change *change, struct buf *out, struct err *err);

#endif
