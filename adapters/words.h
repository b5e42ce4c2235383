/* words.h - a command line split into words, without a shell. */
#ifndef AFW_ADAPTERS_WORDS_H
#define AFW_ADAPTERS_WORDS_H

#include "base/err.h"
#include "base/mem.h"

/*
 * Appends the words of line to out. Blanks separate; 'single quotes' keep
 * everything, "double quotes" keep all but \" and \\, a backslash outside
 * keeps the next character. Nothing is expanded. ERR_USAGE where a quote or
 * a backslash is left open; out is then as it was.
 */
int words_split(const char *line, struct strv *out, struct err *err);

/* Quotes s for a POSIX shell, appended; for hook commands that a harness
 * itself gives to sh. */
struct buf;
void words_quote(const char *s, struct buf *out);

#endif
