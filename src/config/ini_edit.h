/*
 * ini_edit.h - one key of an INI file changed, and nothing else: comments,
 * order, blanks and line ends stay as they are, byte for byte.
 *
 * Pure. What comes out has been read again: a value that would not come back
 * as it went in is refused.
 */
#ifndef AFW_CONFIG_INI_EDIT_H
#define AFW_CONFIG_INI_EDIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct ini_change {
	const char *section; /* "": before the first */
	const char *key;
	const char
	    *value;   /* '\n': continued in an indented line; NULL: unset */
	bool adds_up; /* several lines are one value: the others go too */
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
