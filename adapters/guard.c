/* guard.c - what makes a harness take a message as text. */
#include "adapters/guard.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
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
