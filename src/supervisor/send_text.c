/*
 * send_text.c - what may be typed into a terminal, and what a harness said
 * it was given.
 *
 * The filter works on whole characters: a byte that is part of no valid
 * one, and every control character that a terminal or a line editor would
 * act on, is left out; everything else passes unchanged, so that filtering
 * twice is filtering once. Without ESC no text can end a bracketed paste.
 */
#include "supervisor/send_text.h"

#include <string.h>

#include "base/utf8.h"

static bool is_control(uint32_t cp)
{
	if (cp == '\n' || cp == '\t')
		return false;
	return cp < 0x20 || (cp >= 0x7f && cp <= 0x9f);
}

size_t send_text_filter(const char *text, size_t len, struct buf *out)
{
	size_t start = out->len, dropped = 0, i = 0;

	buf_room(out, len + 1);
	while (i < len) {
		uint32_t cp;
		size_t n = utf8_decode(text + i, len - i, &cp);

		if (n == 0) {
			dropped++;
			i++;
		} else if (cp == '\r' && i + 1 < len && text[i + 1] == '\n') {
			i++;
		} else if (is_control(cp)) {
			dropped += n;
			i += n;
		} else {
			buf_add(out, text + i, n);
			i += n;
		}
	}
	while (out->len > start && out->data[out->len - 1] == '\n')
		out->data[--out->len] = '\0';
	return dropped;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool send_text_blank(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_space(text[i]))
			return false;
	return true;
}

size_t send_text_longest_line(const char *text, size_t len)
{
	size_t longest = 0, line = 0;

	for (size_t i = 0; i < len; i++) {
		line = text[i] == '\n' ? 0 : line + 1;
		if (line > longest)
			longest = line;
	}
	return longest;
}

/* The next character that is no white space; 0 at the end, 1 for a byte
 * that is part of none. */
static uint32_t next_cp(const char *s, size_t len, size_t *i)
{
	uint32_t cp;
	size_t n;

	while (*i < len && is_space(s[*i]))
		(*i)++;
	if (*i >= len)
		return 0;
	n = utf8_decode(s + *i, len - *i, &cp);
	if (n == 0)
		cp = n = 1;
	*i += n;
	return cp;
}

bool send_text_is_prompt(const char *text, size_t len, const char *prompt,
			 size_t prompt_max)
{
	static const char wrapped[] = "<pasted_content";
	size_t plen = strlen(prompt), i = 0, j = 0, end;
	uint32_t want, got;

	if (send_text_blank(prompt, plen))
		return true;
	while (is_space(*prompt)) {
		prompt++;
		plen--;
	}
	if (strncmp(prompt, wrapped, sizeof wrapped - 1) == 0)
		return true;
	for (;;) {
		got = next_cp(prompt, plen, &j);
		end = i;
		want = next_cp(text, len, &i);
		/* The prompt may go on: what a guard or the harness adds. */
		if (want == 0)
			return true;
		/* It may end sooner where it was cut: for its length, or
		 * behind a line, as adapters do. */
		if (got == 0)
			return plen + 8 >= prompt_max ||
			       memchr(text + end, '\n', i - end) != NULL;
		/* utf8_printable() put '?' for what it would not show. */
		if (got != want && got != '?')
			return false;
	}
}
