/*
 * typable.c - removes what may not be typed into a terminal.
 *
 * The filter works on whole characters. It removes invalid bytes, and every
 * control character that a terminal or a line editor would act on; everything
 * else passes unchanged. Without ESC, no text can end a bracketed paste.
 */
#include "session/typable.h"

#include <string.h>

#include "base/utf8.h"

static bool is_control(uint32_t cp)
{
	if (cp == '\n' || cp == '\t')
		return false;
	return cp < 0x20 || (cp >= 0x7f && cp <= 0x9f);
}

size_t typable_filter(const char *text, size_t len, struct buf *out)
{
	size_t start = out->len, dropped = 0, i = 0;

	buf_room(out, len + 1);
	while (i < len) {
		uint32_t cp;
		size_t n = utf8_decode(text + i, len - i, &cp);

		if (n == 0)
			n = 1, dropped++;
		else if (cp == '\r' && i + 1 < len && text[i + 1] == '\n')
			; /* its LF follows */
		else if (is_control(cp))
			dropped += n;
		else
			buf_add(out, text + i, n);
		i += n;
	}
	while (out->len > start && out->data[out->len - 1] == '\n')
		out->data[--out->len] = '\0';
	return dropped;
}

bool typable_blank(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!memchr(" \t\r\n", text[i], 4))
			return false;
	return true;
}
