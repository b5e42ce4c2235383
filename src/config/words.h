/* words.h - a value that is several words, without a shell. */
#ifndef AFW_CONFIG_WORDS_H
#define AFW_CONFIG_WORDS_H

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

/*
 * Appends the words of text to out. Blanks separate; 'single quotes' keep
 * everything, "double quotes" all but \" and \\, a backslash elsewhere keeps
 * the next character. Nothing is expanded. ERR_FAILED where a quote or a
 * backslash is left open, and at a bare word that begins with '#': whoever
 * writes that means a comment.
 */
int words_parse(const char *text, struct strv *out, struct err *err);

/* Appends word, quoted where it must be for words_parse() to read it. */
void words_format(struct buf *out, const char *word);

#endif
