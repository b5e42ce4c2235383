/* text_guard.c - changes a message so that a harness reads it as text. */
#include "adapters/screen/text_guard.h"

#include <string.h>

#include "base/utf8.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

static bool is_command(const char *text, size_t len)
{
	size_t i = 1;

	if (len == 0 || text[0] != '/')
		return false;
	while (i < len && !is_blank(text[i]) && text[i] != '/')
		i++;
	return i == len || text[i] != '/';
}

static bool is_one_of(const char *text, size_t len, const char *const *words)
{
	for (; words && *words; words++)
		if (strlen(*words) == len && memcmp(text, *words, len) == 0)
			return true;
	return false;
}

size_t guard_drop(const struct guard *g, struct buf *text)
{
	size_t kept = 0, n;
	uint32_t cp = 0;

	for (size_t i = 0; g->drops && i < text->len; i += n) {
		n = utf8_decode(text->data + i, text->len - i, &cp);
		n = n ? n : 1;
		if (n > 1 && g->drops(cp))
			continue;
		memmove(text->data + kept, text->data + i, n);
		kept += n;
	}
	n = g->drops ? text->len - kept : 0;
	if (n > 0)
		text->data[text->len = kept] = '\0';
	return n;
}

static bool ends_in_token(const char *text, size_t len, const char *tokens)
{
	size_t start = len;

	while (start > 0 && !is_blank(text[start - 1]))
		start--;
	return start < len && tokens && strchr(tokens, text[start]);
}

static const char *trim(const char *text, size_t *len)
{
	while (*len > 0 && is_blank(*text))
		text++, (*len)--;
	while (*len > 0 && is_blank(text[*len - 1]))
		(*len)--;
	return text;
}

bool guard_hits(const struct guard *g, const char *text, size_t len)
{
	const char *from = trim(text, &len);

	return len > 0 && (strchr(g->leading, *from) != NULL ||
			   is_one_of(from, len, g->words));
}

void guard_apply(const struct guard *g, const char *text, size_t len,
		 struct buf *out)
{
	const char *end = text + len, *from = trim(text, &len);
	bool hide;

	hide = (g->commands && is_command(from, len)) ||
	       is_one_of(from, len, g->words);
	if (hide && g->before)
		buf_adds(out, g->before);
	else if (!hide && len > 0 && *from && strchr(g->leading, *from))
		buf_adds(out, g->front);
	buf_add(out, text, (size_t)(end - text));
	if (hide && g->behind)
		buf_adds(out, g->behind);
	else if (len > 0 && from + len == end &&
		 ((g->backslash && from[len - 1] == '\\') ||
		  ends_in_token(from, len, g->tokens)))
		buf_addc(out, ' ');
}
