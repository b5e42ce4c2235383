/* osc.h - what is inside OSC sequences: fields "a=1:b=2", and base64. */
#ifndef AFW_BASE_OSC_H
#define AFW_BASE_OSC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Returns the value of key, borrowed, and its length in *n; "" and 0 if there
 * is none. */
const char *osc_field(const char *s, size_t len, const char *key, size_t *n);

/* Whether the n bytes at s are this word. */
bool osc_is(const char *s, size_t n, const char *word);

/* Appends what base64 (RFC 4648, padding optional) says; -1 if it is invalid,
 * with what comes before the mistake in out. */
int osc_base64(const char *s, size_t len, struct buf *out);

#endif
