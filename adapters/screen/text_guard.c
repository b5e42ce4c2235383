/* text_guard.c - what makes a harness take a message as text. */
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

static void drop(const char *text, size_t len, bool (*drops)(uint32_t cp),
		 struct buf *out)
{
	uint32_t cp = 0;

	for (size_t i = 0; i < len;) {
		size_t n = utf8_decode(text + i, len - i, &cp);

		if (n < 2 || !drops || !drops(cp))
			buf_add(out, text + i, n ? n : 1);
		i += n ? n : 1;
	}
}

static bool ends_in_at_token(const char *text, size_t len)
{
	size_t start = len;

	while (start > 0 && !is_blank(text[start - 1]))
		start--;
	return start < len && text[start] == '@';
}

void guard_apply(const struct guard *g, const char *text, size_t len,
		 struct buf *out)
{
	struct buf clean = {0};
	const char *from;
	bool hide;

	buf_adds(&clean, "");
	drop(text, len, g->drops, &clean);
	from = clean.data;
	len = clean.len;
	while (len > 0 && is_blank(*from))
		from++, len--;
	while (len > 0 && is_blank(from[len - 1]))
		len--;
	hide = (g->commands && is_command(from, len)) ||
	       is_one_of(from, len, g->words);
	if (hide && g->before)
		buf_adds(out, g->before);
	else if (!hide && len > 0 && *from && strchr(g->leading, *from))
		buf_addc(out, g->front);
	buf_add(out, clean.data, clean.len);
	if (hide && g->behind)
		buf_adds(out, g->behind);
	else if (len > 0 && from + len == clean.data + clean.len &&
		 ((g->backslash && from[len - 1] == '\\') ||
		  (g->at_token && ends_in_at_token(from, len))))
		buf_addc(out, ' ');
	buf_finish(&clean);
}
