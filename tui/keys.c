/* keys.c - the table of keys, as arrays. */
#include "tui/keys.h"

#include <curses.h>

const struct key_help key_helps[ACT_COUNT] = {
#define X(act, ch, code, name, word, help) [ACT_##act] = {name, word, help},
    KEYS(X)
#undef X
};

static const struct {
	uint32_t ch, code;
} codes[ACT_COUNT] = {
#define X(act, ch, code, name, word, help) [ACT_##act] = {ch, code},
    KEYS(X)
#undef X
};

enum act keys_act(struct key k)
{
	/* Codes below those of curses are characters, too. */
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++) {
		bool named = codes[a].code > 0xff;

		if (k.kind == KEY_KIND_CHAR && k.cp &&
		    (k.cp == codes[a].ch ||
		     (codes[a].code && !named && k.cp == codes[a].code)))
			return (enum act)a;
		if (k.kind == KEY_KIND_NAMED && named && k.cp == codes[a].code)
			return (enum act)a;
	}
	return ACT_NONE;
}
