/* nearest.h - finds the nearest name, for "did you mean". */
#ifndef AFW_BASE_NEAREST_H
#define AFW_BASE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Returns the name of names (NULL ends; may be NULL) that is nearest to what,
 * or NULL if none is within two edits (one for words of up to five letters).
 */
const char *nearest_of(const char *what, const char *const *names);

/*
 * Adds the nearest to an error that has been set, if there is one: as its hint,
 * "did you mean NAME?", or after its text, " (did you mean 'NAME'?)", with
 * front and behind in place of the quotes. Returns true if there is one.
 */
bool nearest_hint(struct err *err, const char *what, const char *const *names);
bool nearest_append(struct err *err, const char *what, const char *const *names,
		    const char *front, const char *behind);

#endif
