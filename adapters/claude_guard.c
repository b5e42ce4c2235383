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

void claude_guard(const char *text, size_t len, struct buf *out)
{
	/* The words that leave. */
	static const char *const leave[] = {"exit", "quit", ":q", ":q!",
					    ":wq",  ":wq!", NULL};
	static const struct guard guard = {
	    .leading = "/!#", .front = '\n', .backslash = true};
	struct buf clean = {0};
	const char *from;
	size_t n;

	guard_drop(text, len, utf8_cp_unsafe, &clean);
	from = guard_trim(clean.data ? clean.data : "", clean.len, &n);
	if (guard_is_one_of(from, n, leave) || guard_is_command(from, n)) {
		buf_add(out, clean.data, clean.len);
		buf_adds(out, COLLAPSE);
	} else {
		guard_apply(&guard, clean.data ? clean.data : "", clean.len,
			    out);
	}
	buf_finish(&clean);
}
