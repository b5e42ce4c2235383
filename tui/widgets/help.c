/* help.c - the page of keys and words, out of the table of keys. */
#include <stdlib.h>

#include "base/buf.h"
#include "tui/term/keys.h"
#include "tui/tui.h"

static void explain(struct buf *b, const char *word, const char *text)
{
	char *filled = keys_fill(text);

	buf_addf(b, "  %-17s %s\n", word, filled);
	free(filled);
}

struct view *help_view(const struct tui *t)
{
	struct buf b = {0};
	struct view *v;

	buf_adds(&b, "\nKeys\n");
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++) {
		explain(&b, keys_names((enum act)a), keys_help((enum act)a));
		if (a == ACT_ATTACH && t->detach_key)
			explain(&b, t->detach_key, "there: comes back here");
	}
	buf_adds(&b, "\nStates\n");
	for (int w = 0; w < WORD_COUNT; w++)
		explain(&b, word_name((enum word)w), word_help((enum word)w));
	buf_adds(&b, "\nWho needs you stands first: * is waiting, ! has "
		     "failed. LINES are added and\n"
		     "removed against the base "
		     "branch. Everything here is also a command: man afw.\n");
	if (!term_utf8())
		buf_adds(&b, "\nThe locale (LANG, LC_ALL) is not UTF-8: "
			     "characters other than ASCII show as '?'.\n");
	if (!term_colours())
		buf_adds(&b, "\nNo colours: NO_COLOR is set, or the terminal "
			     "has none.\n");
	if (watch_is_blind(t->watch))
		buf_adds(&b, "\nChanges are seen within a second, not at once: "
			     "the system's inotify limits\n(sysctl "
			     "fs.inotify) are used up.\n");
	v = pager_view("help", b.data, false);
	buf_finish(&b);
	return v;
}
