/* prompt.c - whether a reported prompt is a given message. */
#include "supervisor/sender/prompt.h"

#include <string.h>

#include "base/utf8.h"
#include "session/typable.h"

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

#define NO_CHARACTER 1
#define WITH_MARKS   2

static bool is_mark(uint32_t cp)
{
	return (cp >= 0x300 && cp <= 0x36f) || cp == 0x3099 || cp == 0x309a;
}

/* Returns the next character that is not white space; 0 at the end,
 * NO_CHARACTER for an invalid byte, WITH_MARKS for a character with combining
 * marks. */
static uint32_t next_cp(const char *s, size_t len, size_t *i)
{
	uint32_t cp;
	size_t n;

	while (*i < len && is_space(s[*i]))
		(*i)++;
	if (*i >= len)
		return 0;
	n = utf8_decode(s + *i, len - *i, &cp);
	*i += n ? n : 1;
	if (n == 0)
		return NO_CHARACTER;
	for (uint32_t mark;
	     (n = utf8_decode(s + *i, len - *i, &mark)) > 0 && is_mark(mark);
	     *i += n)
		cp = WITH_MARKS;
	return cp;
}

/* One or both may have been composed ("e" and an accent as one character). */
static bool is_same(uint32_t got, uint32_t want)
{
	if (got == WITH_MARKS || want == WITH_MARKS)
		return (got >= 0x80 || got == WITH_MARKS) &&
		       (want >= 0x80 || want == WITH_MARKS);
	/* utf8_printable() replaces what it does not show by '?'. */
	return got == want || got == '?';
}

bool prompt_is_of(const char *text, size_t len, const char *prompt,
		  size_t prompt_max)
{
	size_t plen = strlen(prompt), i = 0, j = 0, end;
	uint32_t want, got;

	if (typable_blank(prompt, plen))
		return true;
	while (is_space(*prompt)) {
		prompt++;
		plen--;
	}
	for (;;) {
		got = next_cp(prompt, plen, &j);
		end = i;
		want = next_cp(text, len, &i);
		/* The prompt may be longer: guards and harnesses add text. */
		if (want == 0)
			return true;
		/* It may end earlier if it was cut: for its length, or at the
		 * end of a line, as adapters do. */
		if (got == 0)
			return plen + 8 >= prompt_max ||
			       memchr(text + end, '\n', i - end) != NULL;
		if (!is_same(got, want))
			return false;
	}
}
