/* keys.c - maps keys to actions. */
#include "tui/term/keys.h"

#include <ctype.h>
#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/keyname.h"
#include "base/utf8.h"
#include "config/keymap.h"

static const struct {
	const char *name, *word, *help;
} texts[ACT_COUNT] = {
#define KEY(act, name, keys, word, help) [ACT_##act] = {name, word, help},
#include "config/keys.def"
#undef KEY
};

/* There is only one keyboard. */
static struct keymap map;
static char *first[ACT_COUNT];

static const struct {
	uint32_t code;
	const char *name;
} named[] = {
    {KEY_UP, "Up"},
    {KEY_DOWN, "Down"},
    {KEY_LEFT, "Left"},
    {KEY_RIGHT, "Right"},
    {KEY_HOME, "Home"},
    {KEY_END, "End"},
    {KEY_IC, "Insert"},
    {KEY_DC, "Delete"},
    {KEY_PPAGE, "PageUp"},
    {KEY_NPAGE, "PageDown"},
    {KEY_BACKSPACE, "Backspace"},
    {KEY_ENTER, "Enter"},
    {KEY_BTAB, "S-Tab"},
    {KEY_SLEFT, "S-Left"},
    {KEY_SRIGHT, "S-Right"},
    {KEY_SR, "S-Up"},
    {KEY_SF, "S-Down"},
};

static void name_of_char(uint32_t cp, char *out, size_t size)
{
	char text[5] = "";

	if (cp == '\r' || cp == '\t' || cp == '\033' || cp == 0x7f) {
		snprintf(out, size, "%s",
			 cp == '\r'   ? "Enter"
			 : cp == '\t' ? "Tab"
			 : cp == 0x7f ? "Backspace"
				      : "Escape");
	} else if (cp < ' ') {
		snprintf(out, size, "C-%c", tolower((int)cp | '@'));
	} else {
		text[utf8_encode(cp, text)] = '\0';
		snprintf(out, size, "%s", text);
	}
}

/*
 * A key with Shift, Alt or Control, which curses calls by its capability: kLFT5
 * is Left, and 5 is 1 + Shift 1 + Alt 2 + Control 4.
 */
static void name_of_modified(uint32_t code, char *out, size_t size)
{
	static const struct {
		char cap[5];
		const char *name;
	} caps[] = {{"kUP", "Up"},	 {"kDN", "Down"},   {"kLFT", "Left"},
		    {"kRIT", "Right"},	 {"kHOM", "Home"},  {"kEND", "End"},
		    {"kIC", "Insert"},	 {"kDC", "Delete"}, {"kPRV", "PageUp"},
		    {"kNXT", "PageDown"}};
	const char *name = keyname((int)code);

	for (size_t i = 0; name && i < sizeof caps / sizeof caps[0]; i++) {
		size_t n = strlen(caps[i].cap);
		int mods =
		    strncmp(name, caps[i].cap, n) == 0 ? name[n] - '1' : 0;

		if (mods > 0 && mods < 8 && !name[n + 1])
			snprintf(out, size, "%s%s%s%s", mods & 4 ? "C-" : "",
				 mods & 2 ? "M-" : "", mods & 1 ? "S-" : "",
				 caps[i].name);
	}
}

void key_unparse(struct key k, char *out, size_t size)
{
	char name[16];

	out[0] = '\0';
	if (k.kind == KEY_KIND_CHAR) {
		name_of_char(k.cp, out, size);
	} else if (k.kind == KEY_KIND_ALT) {
		name_of_char(k.cp, name, sizeof name);
		snprintf(out, size, "M-%s", name);
	} else if (k.kind == KEY_KIND_NAMED) {
		name_of_modified(k.cp, out, size);
		if (k.cp > KEY_F0 && k.cp <= KEY_F(12))
			snprintf(out, size, "F%u", k.cp - KEY_F0);
		for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
			if (named[i].code == k.cp)
				snprintf(out, size, "%s", named[i].name);
	}
}

void keys_finish(void)
{
	keymap_finish(&map);
	for (int a = 0; a < ACT_COUNT; a++) {
		free(first[a]);
		first[a] = NULL;
	}
}

int keys_set(const struct config *c, struct err *err)
{
	int rc;

	keys_finish();
	rc = keymap_make(&map, c, err);
	if (rc < 0)
		keymap_make(&map, NULL, NULL);
	for (size_t i = 0; i < map.n; i++) {
		int a = map.v[i].act;

		if (a < ACT_COUNT && !first[a])
			first[a] = keyname_spoken(map.v[i].name);
	}
	return rc;
}

static int find_action(struct key k)
{
	struct keyname key;
	char name[24];

	key_unparse(k, name, sizeof name);
	return !name[0] || keyname_parse(name, &key, NULL) < 0
		   ? 0
		   : keymap_find_action(&map, &key);
}

enum act keys_act(struct key k)
{
	int act = find_action(k);

	return act < ACT_COUNT ? (enum act)act : ACT_NONE;
}

int keys_command(struct key k)
{
	int act = find_action(k);

	return act < KEYMAP_COMMANDS ? -1 : act - KEYMAP_COMMANDS;
}

const char *keys_name(enum act act)
{
	return first[act] ? first[act] : "(no key)";
}

bool keys_has(enum act act)
{
	return first[act] != NULL;
}

char *keys_fill(const char *text)
{
	struct buf b = {0};

	for (; *text; text++) {
		size_t len = strcspn(text, "}");
		int a = *text == '{' ? ACT_COUNT : ACT_NONE;

		while (--a > ACT_NONE)
			if (strlen(texts[a].name) == len - 1 &&
			    memcmp(texts[a].name, text + 1, len - 1) == 0)
				break;
		if (a > ACT_NONE) {
			buf_adds(&b, keys_name((enum act)a));
			text += len;
		} else {
			buf_addc(&b, *text);
		}
	}
	buf_adds(&b, "");
	return buf_steal(&b);
}

const char *keys_action(enum act act)
{
	return texts[act].name;
}

const char *keys_label(enum act act)
{
	return texts[act].word;
}

const char *keys_help(enum act act)
{
	return texts[act].help;
}
