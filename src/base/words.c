/* words.c - splits a line into words, and joins words to a line. */
#include "base/words.h"

#include <string.h>

#include "base/session_vars.h"

/* Adds one word; returns its end, or NULL if a quote or backslash is open. */
static const char *add_word(const char *s, struct buf *word)
{
	char quote = '\0';

	for (; *s && (quote || !strchr(WORDS_BLANKS, *s)); s++) {
		if (quote != '\'' && *s == '\\') {
			if (s[1] == '\0')
				return NULL;
			if (quote && s[1] != '"' && s[1] != '\\')
				buf_addc(word, '\\');
			buf_addc(word, *++s);
		} else if (quote ? *s == quote : *s == '\'' || *s == '"') {
			quote = quote ? '\0' : *s;
		} else {
			buf_addc(word, *s);
		}
	}
	return quote ? NULL : s;
}

int words_next(const char **s, struct buf *word)
{
	const char *end;

	*s += strspn(*s, WORDS_BLANKS);
	if (**s == '\0')
		return 0;
	buf_clear(word);
	buf_adds(word, ""); /* '' is a word, too */
	end = add_word(*s, word);
	if (!end)
		return -1;
	*s = end + strspn(end, WORDS_BLANKS);
	return 1;
}

int words_split(const char *line, struct strv *out, struct err *err)
{
	struct strv words = {0};
	struct buf word = {0};
	const char *s = line;
	int more;

	while ((more = words_next(&s, &word)) > 0)
		strv_add(&words, word.data);
	if (more == 0)
		strv_copy(out, &words);
	strv_finish(&words);
	buf_finish(&word);
	return more == 0
		   ? 0
		   : err_set(err, ERR_USAGE,
			     "a quote or backslash is left open: %.80s", line);
}

#define SHELL_CHARS "|&;<>$`"

char words_shell_char(const char *line)
{
	char quote = '\0';

	for (; *line; line++) {
		if (quote != '\'' && *line == '\\' && line[1])
			line++;
		else if (quote ? *line == quote : *line == '\'' || *line == '"')
			quote = quote ? '\0' : *line;
		else if (!quote && session_vars_match(line))
			line += session_vars_match(line) - 1; /* afw does it */
		else if (!quote && strchr(SHELL_CHARS, *line))
			return *line;
	}
	return '\0';
}

void words_format(struct buf *out, const char *word)
{
	if (word[0] && word[0] != '#' &&
	    !strpbrk(word, WORDS_BLANKS "'\"\\" SHELL_CHARS)) {
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

void words_quote(const char *s, struct buf *out)
{
	buf_addc(out, '\'');
	for (; *s; s++) {
		if (*s == '\'')
			buf_adds(out, "'\\''");
		else
			buf_addc(out, *s);
	}
	buf_addc(out, '\'');
}

void words_quote_shown(const char *s, struct buf *out)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ_@%+=:,./-";

	if (*s && *s != '=' && !s[strspn(s, plain)])
		buf_adds(out, s);
	else
		words_quote(s, out);
}

char *words_quoted(const char *s)
{
	struct buf out = {0};

	words_quote_shown(s, &out);
	return buf_steal(&out);
}

char *words_fill(const char *word, const char *name, const char *value)
{
	struct buf out = {0};
	size_t len = strlen(name);
	const char *at;

	while ((at = strstr(word, name))) {
		buf_add(&out, word, (size_t)(at - word));
		buf_adds(&out, value);
		word = at + len;
	}
	buf_adds(&out, word);
	return buf_steal(&out);
}
