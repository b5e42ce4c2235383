/*
 * words.c - a command line split into words, without a shell: quotes and
 * backslashes as everybody writes them, no expansion of anything.
 */
#include "adapters/words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Adds one word; returns where it ends, or NULL where a quote is open. */
static const char *add_word(const char *s, struct buf *word)
{
	char quote = 0;

	for (; *s != '\0' && (quote || !is_blank(*s)); s++) {
		if (quote != '\'' && *s == '\\') {
			if (s[1] == '\0')
				return NULL;
			if (quote && s[1] != '"' && s[1] != '\\')
				buf_addc(word, '\\');
			buf_addc(word, *++s);
		} else if (quote ? *s == quote : *s == '\'' || *s == '"') {
			quote = quote ? 0 : *s;
		} else {
			buf_addc(word, *s);
		}
	}
	return quote ? NULL : s;
}

int words_split(const char *line, struct strv *out, struct err *err)
{
	struct strv words = {0};
	struct buf word = {0};
	const char *s = line;

	for (;;) {
		while (is_blank(*s))
			s++;
		if (*s == '\0')
			break;
		buf_clear(&word);
		s = add_word(s, &word);
		if (s == NULL) {
			buf_finish(&word);
			strv_finish(&words);
			return err_set(err, ERR_USAGE,
				       "a quote or backslash is left open: %s",
				       line);
		}
		strv_add(&words, word.data ? word.data : "");
	}
	strv_copy(out, &words);
	strv_finish(&words);
	buf_finish(&word);
	return 0;
}

void words_quote(const char *s, struct buf *out)
{
	buf_addc(out, '\'');
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			buf_adds(out, "'\\''");
		else
			buf_addc(out, *s);
	}
	buf_addc(out, '\'');
}
