/*
 * words.h - a line split into words as everybody writes them, without a
 * shell: blanks separate; 'single quotes' keep everything, "double quotes"
 * all but \" and \\, a backslash elsewhere keeps the next character. Nothing
 * is expanded, nothing a shell would run.
 */
#ifndef AFW_BASE_WORDS_H
#define AFW_BASE_WORDS_H

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

#define WORDS_BLANKS " \t\r\n"

/*
 * Appends the words of line to out. ERR_USAGE where a quote or a backslash
 * is left open; out is then as it was.
 */
int words_split(const char *line, struct strv *out, struct err *err);

/*
 * One word at a time: puts the one at *s into word (replaced) and moves *s
 * behind it and the blanks there, to the next one or the end. 1, 0 where
 * there is none, -1 where a quote or a backslash is left open.
 */
int words_next(const char **s, struct buf *word);

/* The first character of line that a shell would act on and that stands in no
 * quotes ("echo x > f"), or '\0'. */
char words_shell_char(const char *line);

/* Appends word, quoted where it must be for words_split() to read it (and
 * for an INI file not to take it for a comment). */
void words_format(struct buf *out, const char *word);

/* word with each name in it, as "{branch}", replaced by value; to be freed. */
char *words_fill(const char *word, const char *name, const char *value);

/* Quotes s for a POSIX shell, appended; for hook commands that a harness
 * itself gives to sh. */
void words_quote(const char *s, struct buf *out);

/* The same for a command that a message shows: quoted only if it must be. */
void words_show(const char *s, struct buf *out);

#endif
