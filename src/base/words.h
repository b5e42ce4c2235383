/*
 * words.h - splits a line into words, without a shell: blanks separate; 'single
 * quotes' keep everything, "double quotes" all except \" and \\, a backslash
 * elsewhere keeps the next character. Nothing is expanded or run.
 */
#ifndef AFW_BASE_WORDS_H
#define AFW_BASE_WORDS_H

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

#define WORDS_BLANKS " \t\r\n"

/*
 * Appends the words of line to out. ERR_USAGE if a quote or a backslash is left
 * open; out is then unchanged.
 */
int words_split(const char *line, struct strv *out, struct err *err);

/*
 * Stores the word at *s in word (replaced) and moves *s past it and its blanks,
 * to the next one or the end. Returns 1, 0 if there is no word, -1 if a quote
 * or a backslash is left open.
 */
int words_next(const char **s, struct buf *word);

/* Returns the first unquoted character of line that a shell would act on ("echo
 * x > f"), or '\0'. */
char words_shell_char(const char *line);

/* Appends word, quoted where it must be for words_split() to read it (and for
 * an INI file not to read it as a comment). */
void words_format(struct buf *out, const char *word);

/* Returns word with each name in it, as "{branch}", replaced by value; to be
 * freed. */
char *words_fill(const char *word, const char *name, const char *value);

/* Appends s, quoted for a POSIX shell; for hook commands that a harness runs
 * with sh. */
void words_quote(const char *s, struct buf *out);

/* The same for a command that a message shows: quoted only if it must be. */
void words_quote_shown(const char *s, struct buf *out);
char *words_quoted(const char *s); /* to be freed */

#endif
