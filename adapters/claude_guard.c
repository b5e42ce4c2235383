/*
 * claude_guard.c - a message as Claude Code must get it to take it as text.
 *
 * Measured with 2.1.329: it trims the text and then looks at it, so a blank
 * or a newline in front hides neither a command that it knows nor the words
 * that leave. What it shows collapsed ("[Pasted text #1 +4 lines]": from
 * three newlines on) it never looks at: such messages get newlines behind.
 * For `!` a newline in front is enough. A trailing backslash would turn
 * Enter into a newline: a space behind it does not. Of invisible characters
 * it removes some itself, and then waits for a second Enter: they go here.
 */
#include "adapters/claude.h"

#include <string.h>

#include "adapters/guard.h"
#include "base/utf8.h"

#define COLLAPSE "\n\n\n\n"
#define BLANKS	 " \t\n"

static bool is_blank(char c)
{
	return c != '\0' && strchr(BLANKS, c);
}

static void drop_invisible(const char *text, size_t len, struct buf *out)
{
	uint32_t cp = 0;

	for (size_t i = 0; i < len;) {
		size_t n = utf8_decode(text + i, len - i, &cp);

		if (n < 2 || !utf8_cp_unsafe(cp))
			buf_add(out, text + i, n ? n : 1);
		i += n ? n : 1;
	}
}

/* The words that leave; text is trimmed. */
static bool leaves(const char *text, size_t len)
{
	static const char *const words[] = {"exit", "quit", ":q",
					    ":q!",  ":wq",  ":wq!"};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strlen(words[i]) == len && memcmp(text, words[i], len) == 0)
			return true;
	return false;
}

/* "/name …": a path ("/tmp/x …") is none. */
static bool is_command(const char *text, size_t len)
{
	size_t i = 1;

	if (len == 0 || text[0] != '/')
		return false;
	while (i < len && !is_blank(text[i]) && text[i] != '/')
		i++;
	return i == len || text[i] != '/';
}

void claude_guard(const char *text, size_t len, struct buf *out)
{
	static const struct guard guard = {
	    .leading = "/!#", .front = '\n', .backslash = true};
	struct buf clean = {0};
	const char *from;
	size_t n;

	drop_invisible(text, len, &clean);
	from = clean.data ? clean.data : "";
	n = clean.len;
	while (n > 0 && is_blank(*from))
		from++, n--;
	while (n > 0 && is_blank(from[n - 1]))
		n--;
	if (leaves(from, n) || is_command(from, n)) {
		buf_add(out, clean.data, clean.len);
		buf_adds(out, COLLAPSE);
	} else {
		guard_apply(&guard, clean.data ? clean.data : "", clean.len,
			    out);
	}
	buf_finish(&clean);
}
