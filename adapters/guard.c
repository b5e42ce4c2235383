/* guard.c - what makes a harness take a message as text. */
#include "adapters/guard.h"

#include <string.h>

#include "base/utf8.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

const char *guard_trim(const char *text, size_t len, size_t *trimmed)
{
	while (len > 0 && is_blank(*text))
		text++, len--;
	while (len > 0 && is_blank(text[len - 1]))
		len--;
	*trimmed = len;
	return text;
}

bool guard_is_one_of(const char *text, size_t len, const char *const *words)
{
	for (; *words; words++)
		if (strlen(*words) == len && memcmp(text, *words, len) == 0)
			return true;
	return false;
}

bool guard_is_command(const char *text, size_t len)
{
	size_t i = 1;

	if (len == 0 || text[0] != '/')
		return false;
	while (i < len && !is_blank(text[i]) && text[i] != '/')
		i++;
	return i == len || text[i] != '/';
}

void guard_drop(const char *text, size_t len, bool (*drops)(uint32_t cp),
		struct buf *out)
{
	uint32_t cp = 0;

	for (size_t i = 0; i < len;) {
		size_t n = utf8_decode(text + i, len - i, &cp);

		if (n < 2 || !drops(cp))
			buf_add(out, text + i, n ? n : 1);
		i += n ? n : 1;
	}
}

static bool ends_in_at_token(const char *text, size_t end)
{
	size_t start = end;

	while (start > 0 && !is_blank(text[start - 1]))
		start--;
	return start < end && text[start] == '@';
}

void guard_apply(const struct guard *g, const char *text, size_t len,
		 struct buf *out)
{
	size_t start = 0, end = len;

	while (start < len && is_blank(text[start]))
		start++;
	while (end > start && is_blank(text[end - 1]))
		end--;
	if (start < end && text[start] != '\0' &&
	    strchr(g->leading, text[start]))
		buf_addc(out, g->front);
	buf_add(out, text, len);
	if (start < end && end == len &&
	    ((g->backslash && text[end - 1] == '\\') ||
	     (g->at_token && ends_in_at_token(text, end))))
		buf_addc(out, ' ');
}
