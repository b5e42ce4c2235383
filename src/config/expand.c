/* expand.c - expands ${AFW_ROLE} and the like in a text. */
#include "config/expand.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/nearest.h"
#include "base/session_vars.h"
#include "base/words.h"
#include "config/ini.h"

#define BEGIN	   "${AFW_"
#define LIST_MAX   16
#define NAME_CHARS "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

bool expand_has(const char *text)
{
	return strstr(text, BEGIN) != NULL;
}

static int refuse_unknown(const char *name, const struct expand *list,
			  bool closed, struct err *err)
{
	const char *names[LIST_MAX + 1] = {NULL};

	if (!closed)
		return err_set(err, ERR_FAILED, "'${%.40s' is not closed by }",
			       name);
	for (size_t i = 0; i < LIST_MAX && list[i].name; i++)
		names[i] = list[i].name;
	err_set(err, ERR_FAILED, "unknown ${%.40s}", name);
	if (!nearest_append(err, name, names, "${", "}"))
		err_hint(err, "afw-templates(1) lists them");
	return -1;
}

/* Finds the variable at s, which begins with BEGIN; sets *end after it. */
static const char *find(const char *s, const struct expand *list,
			const char **end, struct err *err)
{
	size_t len = strspn(s + 2, NAME_CHARS);
	bool closed = s[2 + len] == '}';
	_free_ char *name = mem_strndup(s + 2, len);
	const char *value = NULL;

	for (size_t i = 0; closed && list[i].name && !value; i++)
		if (strcmp(list[i].name, name) == 0)
			value = list[i].value;
	*end = s + 3 + len;
	if (value && !strstr(value, "${"))
		return value;
	if (value)
		err_set(err, ERR_FAILED,
			"${%s} is '%.100s', in which ${ would be read as a "
			"variable",
			name, value);
	else
		refuse_unknown(name, list, closed, err);
	return NULL;
}

/* Appends a value while quote (or '\0') is open. */
static void add_quoted(struct buf *out, const char *value, char quote)
{
	if (quote == '\'' && !strchr(value, '\'')) {
		buf_adds(out, value);
		return;
	}
	/* An open quote is closed, and opened again. */
	if (quote)
		buf_addc(out, quote);
	words_format(out, value);
	if (quote)
		buf_addc(out, quote);
}

int expand_text(const char *text, const struct expand *list, bool words,
		const char *file, struct buf *out, struct err *err)
{
	char quote = '\0', place[INI_PLACE_SIZE];
	int line = 1;

	while (*text) {
		size_t own = session_vars_match(text);

		if (own) {
			/* replaced when the session has them */
			buf_add(out, text, own);
			text += own;
			continue;
		}
		if (strncmp(text, BEGIN, strlen(BEGIN)) == 0) {
			const char *value = find(text, list, &text, err);

			if (!value && !file)
				return -1;
			if (!value) {
				ini_format_place(place, file, line);
				return err_prefix(err, "%s", place);
			}
			if (words)
				add_quoted(out, value, quote);
			else
				buf_adds(out, value);
			continue;
		}
		if (words && quote != '\'' && *text == '\\' && text[1])
			buf_addc(out, *text++);
		else if (words && (quote ? *text == quote
					 : *text == '\'' || *text == '"'))
			quote = quote ? '\0' : *text;
		line += *text == '\n';
		buf_addc(out, *text++);
	}
	return 0;
}
