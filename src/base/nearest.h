/* nearest.h - "did you mean". */
#ifndef AFW_BASE_NEAREST_H
#define AFW_BASE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Edits (insert, delete, replace, swap of neighbours) from a to b, looking
 * at the first 63 bytes of each. */
size_t nearest_distance(const char *a, const char *b);

/* Of names (NULL ends; NULL: none) the nearest to what, or NULL where none is
 * within two edits (one for words of up to three letters). */
const char *nearest_of(const char *what, const char *const *names);

/*
 * Adds the nearest to an error that has been set, if there is one: as its hint,
 * "did you mean NAME?", or behind its text, " (did you mean 'NAME'?)", with
 * front and behind in place of the quotes. Returns whether there is one.
 */
bool nearest_hint(struct err *err, const char *what, const char *const *names);
bool nearest_append(struct err *err, const char *what, const char *const *names,
		    const char *front, const char *behind);

#endif
