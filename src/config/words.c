/*
 * words.c - splitting a value into words: quotes and backslashes as everybody
 * writes them, no expansion of anything, nothing a shell would run.
 */
#include "config/words.h"

#include <string.h>

#define BLANKS " \t\r\n"

/* Appends the word at s to out; returns where it ends, NULL: left open. */
static const char *word_end(const char *s, struct buf *out)
{
	char quote = '\0';

	for (; *s && (quote || !strchr(BLANKS, *s)); s++) {
		if (quote ? *s == quote : *s == '\'' || *s == '"') {
			quote = quote ? '\0' : *s;
		} else if (*s == '\\' && quote != '\'') {
			s++;
			if (*s == '\0')
				return NULL;
			if (quote && *s != '"' && *s != '\\')
				buf_addc(out, '\\');
			buf_addc(out, *s);
		} else {
			buf_addc(out, *s);
		}
	}
	return quote ? NULL : s;
}

int words_parse(const char *text, struct strv *out, struct err *err)
{
	const char *s = text + strspn(text, BLANKS);

	while (*s) {
		struct buf word = {0};

		if (*s == '#')
			return err_set(err, ERR_FAILED,
				       "'%.60s': a comment needs a line of its "
				       "own; a name with # needs quotes",
				       s);
		s = word_end(s, &word);
		if (!s) {
			buf_finish(&word);
			return err_set(err, ERR_FAILED,
				       "a quote or backslash is left open: "
				       "%.80s",
				       text);
		}
		strv_take(out, buf_steal(&word));
		s += strspn(s, BLANKS);
	}
	return 0;
}

void words_format(struct buf *out, const char *word)
{
	if (word[0] && word[0] != '#' && !strpbrk(word, BLANKS "'\"\\;")) {
		buf_adds(out, word);
		return;
	}
	buf_addc(out, '"');
	for (; *word; word++) {
		if (*word == '"' || *word == '\\')
			buf_addc(out, '\\');
		buf_addc(out, *word);
	}
	buf_addc(out, '"');
}
