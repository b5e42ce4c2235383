/* nearest.h - "did you mean". */
#ifndef AFW_BASE_NEAREST_H
#define AFW_BASE_NEAREST_H

#include <stddef.h>

/* Edits (insert, delete, replace, swap of neighbours) from a to b, looking
 * at the first 63 bytes of each. */
size_t nearest_distance(const char *a, const char *b);

/* Of names (NULL ends) the nearest to what, or NULL where none is within
 * two edits (one for words of up to three letters). */
const char *nearest_of(const char *what, const char *const *names);

#endif
