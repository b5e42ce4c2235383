/* help.c - the keys of a view, in its last row and in the help, which also
 * explains the words and signs of the list. */
#include <stdlib.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "session/live/changes.h"
#include "tui/term/keys.h"
#include "tui/tui.h"

/* The list's keys: headings, each followed by its actions. */
static const struct {
	const char *heading;
	enum act act;
} lines[] = {
#define KEYS_HEADING(text) {text, ACT_NONE},
#define KEY(act, ...)	   {NULL, ACT_##act},
#include "config/keys.def"
#undef KEY
};

static void explain(struct buf *b, const char *key, const char *text)
{
	_free_ char *keys = keys_fill(key), *filled = keys_fill(text);

	buf_addf(b, "  %-17s %s\n", keys, filled);
}

static void add_keys(struct buf *b, const struct view_key *keys)
{
	for (; keys->key; keys++)
		if (keys->word)
			explain(b, keys->key,
				keys->help ? keys->help : keys->word);
		else
			buf_addf(b, "\n%s\n", keys->key);
}

static void add_list(struct buf *b, const struct tui *t)
{
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		enum act act = lines[i].act;

		if (lines[i].heading)
			buf_addf(b, "\n%s\n", lines[i].heading);
		else
			explain(b, keys_names(act), keys_help(act));
		if (act == ACT_ATTACH && t->detach_key)
			explain(b, t->detach_key, "there: returns here");
	}
	buf_adds(b, "\nStates\n");
	for (int w = 0; w < WORD_COUNT; w++)
		explain(b, word_name((enum word)w), word_help((enum word)w));
	buf_adds(b, "\nSessions that need you come first: * is waiting, ! has "
		    "failed. LINES are added and\nremoved against the base "
		    "branch. Everything here is also a command: man afw.\n");
	if (!term_utf8())
		buf_adds(b, "\nThe locale (LANG, LC_ALL) is not UTF-8: "
			    "characters other than ASCII show as '?'.\n");
	if (!term_colours())
		buf_adds(b, "\nNo colours: NO_COLOR is set, or the terminal "
			    "has none.\n");
	if (changes_is_blind(t->watch))
		buf_adds(b, "\nChanges are seen within a second, not at once: "
			    "the system's inotify limits\n(sysctl "
			    "fs.inotify) are used up.\n");
}

struct view *help_view(const struct tui *t, const struct view *of)
{
	const struct view_key *keys = view_keys(of);
	_buf_ struct buf b = {0};

	if (keys)
		add_keys(&b, keys);
	else
		add_list(&b, t);
	return pager_view("help", b.data, false);
}

void help_draw_keys(const struct rect *r, const struct view_key *keys)
{
	int col = r->col, end = r->col + r->cols;

	for (; keys->key; keys++) {
		_free_ char *key = keys_fill(keys->key);
		int need = paint_width(key) + 1 + paint_width(keys->word);

		if (!keys->word || !keys->word[0])
			continue;
		if (col + need <= end) {
			paint_look(r->row, col, r->cols, key, LOOK_KEY);
			paint_look(r->row, col + paint_width(key) + 1, r->cols,
				   keys->word, LOOK_PLAIN);
		}
		col += need + 2;
	}
}
