/*
 * keyname.c - the three forms in which terminals send a key.
 *
 * Plain: a control byte, ESC before it for alt, CSI sequences for the keys
 * without a character. modifyOtherKeys: CSI 27;mods;code~. kitty: CSI code;
 * mods u, and for keys with a CSI sequence that sequence with mods. Mods are 1
 * + shift 1 + alt 2 + control 4.
 */
#include "base/keyname.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/nearest.h"
#include "base/utf8.h"

enum {
	MOD_SHIFT = 1,
	MOD_ALT = 2,
	MOD_CONTROL = 4,
};

/* A key without a character: CSI number ~, or CSI [1;mods] letter. */
struct special {
	const char *name, *other; /* other: tmux's name for it, or NULL */
	int number;		  /* for '~', or the code */
	char letter;		  /* '~': by number; 'u': has a code */
	char ss3;		  /* plain form is also ESC O letter */
	int also;		  /* plain form is also CSI also ~ */
};

static const struct special specials[] = {
    {"Space", NULL, ' ', 'u', 0, 0},
    {"Tab", NULL, '\t', 'u', 0, 0},
    {"Enter", "Return", '\r', 'u', 0, 0},
    {"Escape", "Esc", 27, 'u', 0, 0},
    {"Backspace", "BSpace", 127, 'u', 0, 0},
    {"Up", NULL, 1, 'A', 'A', 0},
    {"Down", NULL, 1, 'B', 'B', 0},
    {"Right", NULL, 1, 'C', 'C', 0},
    {"Left", NULL, 1, 'D', 'D', 0},
    {"Home", NULL, 1, 'H', 'H', 1},
    {"End", NULL, 1, 'F', 'F', 4},
    {"Insert", "IC", 2, '~', 0, 0},
    {"Delete", "DC", 3, '~', 0, 0},
    {"PageUp", "PPage", 5, '~', 0, 0},
    {"PageDown", "NPage", 6, '~', 0, 0},
    {"F1", NULL, 1, 'P', 'P', 11},
    {"F2", NULL, 1, 'Q', 'Q', 12},
    {"F3", NULL, 13, '~', 'R', 0},
    {"F4", NULL, 1, 'S', 'S', 14},
    {"F5", NULL, 15, '~', 0, 0},
    {"F6", NULL, 17, '~', 0, 0},
    {"F7", NULL, 18, '~', 0, 0},
    {"F8", NULL, 19, '~', 0, 0},
    {"F9", NULL, 20, '~', 0, 0},
    {"F10", NULL, 21, '~', 0, 0},
    {"F11", NULL, 23, '~', 0, 0},
    {"F12", NULL, 24, '~', 0, 0},
};
#define SPECIALS (sizeof specials / sizeof specials[0])

struct key {
	int mods;
	uint32_t code; /* a character, or 0 */
	const struct special *special;
};

static void add(struct keyname *out, const char *bytes, size_t len)
{
	for (size_t i = 0; i < out->n; i++)
		if (out->forms[i].len == len &&
		    memcmp(out->forms[i].bytes, bytes, len) == 0)
			return;
	if (out->n == KEYNAME_FORMS || len > KEYNAME_BYTES)
		return;
	memcpy(out->forms[out->n].bytes, bytes, len);
	out->forms[out->n++].len = (unsigned char)len;
}

static void addf(struct keyname *out, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static void addf(struct keyname *out, const char *fmt, ...)
{
	char text[KEYNAME_BYTES + 1];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (n > 0 && (size_t)n < sizeof text)
		add(out, text, (size_t)n);
}

/* Returns the byte of control and a character; -1 if there is none. */
static int control_byte(uint32_t c)
{
	static const char from[] = "@[\\]^_?/ 2345678";
	static const char to[] = "\x00\x1b\x1c\x1d\x1e\x1f\x7f\x1f\x00"
				 "\x00\x1b\x1c\x1d\x1e\x1f\x7f";
	const char *at;

	if (c >= 'a' && c <= 'z')
		return (int)(c - 'a' + 1);
	if (c >= 'A' && c <= 'Z')
		return (int)(c - 'A' + 1);
	at = c > 0 && c < 128 ? strchr(from, (int)c) : NULL;
	return at ? to[at - from] : -1;
}

static void legacy_code(const struct key *k, struct keyname *out)
{
	char text[8];
	size_t n = 0;
	int c;

	if (k->mods & MOD_ALT)
		text[n++] = '\033';
	if (k->mods & MOD_SHIFT && k->code == '\t') {
		addf(out, "%s\033[Z", n ? "\033" : "");
		return;
	}
	if (k->mods & MOD_SHIFT && (k->code <= ' ' || k->code == 127))
		return; /* no difference */
	if (!(k->mods & MOD_CONTROL)) {
		n += utf8_encode(k->code, text + n);
	} else {
		c = control_byte(k->code);
		if (c < 0)
			return;
		text[n++] = (char)c;
	}
	add(out, text, n);
}

static void legacy_special(const struct key *k, struct keyname *out)
{
	const struct special *s = k->special;
	bool letter = s->letter != '~';

	if (k->mods == 0) {
		if (s->ss3)
			addf(out, "\033O%c", s->ss3);
		if (letter)
			addf(out, "\033[%c", s->letter);
		else
			addf(out, "\033[%d~", s->number);
		if (s->also)
			addf(out, "\033[%d~", s->also);
	} else if (letter) {
		addf(out, "\033[1;%d%c", k->mods + 1, s->letter);
	} else {
		addf(out, "\033[%d;%d~", s->number, k->mods + 1);
		if (s->ss3)
			addf(out, "\033[1;%d%c", k->mods + 1, s->ss3);
	}
}

/* Adds kitty's form of a code with mods. */
static void kitty(int mods, uint32_t code, char letter, struct keyname *out)
{
	if (mods)
		addf(out, "\033[%u;%d%c", code, 1 + mods, letter);
	else if (letter == 'u')
		addf(out, "\033[%uu", code);
}

/*
 * Adds kitty's forms of a shifted character: C-^ is sent as control, shift and
 * 6 on US keyboards; on others the character may have its own key.
 */
static void kitty_shifted(const struct key *k, struct keyname *out)
{
	static const char from[] = "@^_?|{}~";
	static const char base[] = "26-/\\[]`";
	const char *at = k->code < 128 ? strchr(from, (int)k->code) : NULL;

	if (at && *at)
		kitty(k->mods | MOD_SHIFT, (uint32_t)base[at - from], 'u', out);
}

static void forms(const struct key *k, struct keyname *out)
{
	*out = (struct keyname){0};
	if (k->special && k->special->letter != 'u') {
		legacy_special(k, out);
		out->legacy = out->n;
		kitty(k->mods, (uint32_t)k->special->number, k->special->letter,
		      out);
		return;
	}
	legacy_code(k, out);
	out->legacy = out->n;
	if (k->code >= 'A' && k->code <= 'Z') {
		addf(out, "\033[27;%d;%u~", (k->mods | MOD_SHIFT) + 1, k->code);
		kitty(k->mods | MOD_SHIFT, k->code + ('a' - 'A'), 'u', out);
		return;
	}
	if (k->mods)
		addf(out, "\033[27;%d;%u~", k->mods + 1, k->code);
	kitty(k->mods, k->code, 'u', out);
	if (!k->special)
		kitty_shifted(k, out);
}

/* Skips one "C-" at the start; NULL if there is none. */
static const char *modifier(const char *s, int *mods)
{
	if (s[0] == '^' && s[1] != '\0') {
		*mods |= MOD_CONTROL;
		return s + 1;
	}
	if (s[0] == '\0' || s[1] != '-' || s[2] == '\0')
		return NULL;
	if (strchr("Cc", s[0]))
		*mods |= MOD_CONTROL;
	else if (strchr("MmAa", s[0]))
		*mods |= MOD_ALT;
	else if (strchr("Ss", s[0]))
		*mods |= MOD_SHIFT;
	else
		return NULL;
	return s + 2;
}

static const struct special *find_special(const char *s)
{
	for (size_t i = 0; i < SPECIALS; i++)
		if (strcasecmp(s, specials[i].name) == 0 ||
		    (specials[i].other &&
		     strcasecmp(s, specials[i].other) == 0))
			return &specials[i];
	return NULL;
}

static int err_unknown_key(const char *text, const char *base, struct err *err)
{
	const char *names[SPECIALS + 1] = {NULL}, *best;

	for (size_t i = 0; i < SPECIALS; i++)
		names[i] = specials[i].name;
	best = base[0] && base[1] && base[2] ? nearest_of(base, names) : NULL;
	if (best)
		return err_set(err, ERR_FAILED,
			       "there is no key '%.40s' (did you mean "
			       "'%.*s%s'?)",
			       text, (int)(base - text), text, best);
	return err_set(err, ERR_FAILED,
		       "there is no key '%.40s' (such as C-a, C-\\, C-Space, "
		       "M-x, F12)",
		       text);
}

static int parse(const char *text, struct key *k, struct err *err)
{
	const char *s = text, *next;
	size_t len, n;

	*k = (struct key){0};
	if (strlen(text) > 40)
		return err_unknown_key(text, text, err);
	while ((next = modifier(s, &k->mods)))
		s = next;
	k->special = find_special(s);
	if (k->special) {
		if (k->special->letter == 'u')
			k->code = (uint32_t)k->special->number;
		return 0;
	}
	len = strlen(s);
	n = utf8_decode(s, len, &k->code);
	if (n == 0 || n != len || utf8_cp_unsafe(k->code) ||
	    utf8_cp_width(k->code) == 0)
		return err_unknown_key(text, s, err);
	if (k->code >= 'A' && k->code <= 'Z' && k->mods & MOD_CONTROL)
		k->code += 'a' - 'A';
	else if (k->code >= 'a' && k->code <= 'z' && k->mods & MOD_SHIFT &&
		 !(k->mods & MOD_CONTROL))
		k->code -= 'a' - 'A';
	return 0;
}

int keyname_parse(const char *text, struct keyname *out, struct err *err)
{
	struct key k;

	if (parse(text, &k, err) < 0)
		return -1;
	forms(&k, out);
	return 0;
}

int keyname_parse_detach(const char *text, struct keyname *out, struct err *err)
{
	struct key k;

	if (parse(text, &k, err) < 0)
		return -1;
	forms(&k, out);
	if (k.code && !(k.mods & (MOD_CONTROL | MOD_ALT)))
		return err_set(err, ERR_FAILED,
			       "'%.40s' is a key that people type: it needs C- "
			       "or M-",
			       text);
	if (out->legacy > 0 && out->forms[0].len == 1 &&
	    strchr("\r\n\t\033\177", out->forms[0].bytes[0]) &&
	    out->forms[0].bytes[0] != '\0')
		return err_set(err, ERR_FAILED,
			       "terminals cannot distinguish '%.40s' from "
			       "Enter, Tab, Escape or Backspace",
			       text);
	return 0;
}

/* Appends text that is typed unchanged. */
static int type_text(const char *word, struct buf *out, struct err *err)
{
	size_t len = strlen(word), n;
	uint32_t cp;

	for (size_t i = 0; i < len; i += n) {
		n = utf8_decode(word + i, len - i, &cp);
		if (n == 0 || cp < 0x20 || (cp >= 0x7f && cp <= 0x9f))
			return err_set(err, ERR_USAGE,
				       "'%.40s' contains a control character: "
				       "name the key",
				       word);
	}
	buf_add(out, word, len);
	return 0;
}

int keyname_type(const char *word, bool app_cursor, bool kitty, struct buf *out,
		 struct err *err)
{
	struct keyname key;
	struct err why = {0};
	size_t at = 0;

	if (word[0] == '\0')
		return err_set(err, ERR_USAGE, "an empty word is not a key");
	if (keyname_parse(word, &key, &why) < 0) {
		if (strstr(why.what, "did you mean")) {
			err_set(err, ERR_USAGE, "%s", why.what);
			return err_hint(err, "to type it as text, cut it into "
					     "two words");
		}
		return type_text(word, out, err);
	}
	if (key.legacy == 0 && (!kitty || key.n == 0))
		return err_set(err, ERR_USAGE,
			       "the agent's terminal has no bytes for '%.40s'",
			       word);
	/* Without plain bytes the last of kitty's plain forms: CSI … u. */
	for (size_t i = 0; key.legacy == 0 && i < key.n; i++)
		if (key.forms[i].bytes[key.forms[i].len - 1] == 'u') {
			at = i;
			break;
		}
	/* An arrow is ESC O A in application mode, otherwise ESC [ A. */
	if (!app_cursor && key.legacy > 1 && key.forms[0].len == 3 &&
	    key.forms[0].bytes[1] == 'O' &&
	    strchr("ABCDHF", key.forms[0].bytes[2]))
		at = 1;
	buf_add(out, key.forms[at].bytes, key.forms[at].len);
	return 0;
}

void keyname_hex(const struct keyname *key, struct strv *out)
{
	for (size_t i = 0; i < key->n; i++) {
		struct buf hex = {0};

		for (size_t j = 0; j < key->forms[i].len; j++)
			buf_addf(&hex, "%02x",
				 (unsigned char)key->forms[i].bytes[j]);
		strv_take(out, buf_steal(&hex));
	}
}

char *keyname_spoken(const char *name)
{
	static const char *const other[][2] = {
	    {"PageUp", "PgUp"}, {"PPage", "PgUp"}, {"PageDown", "PgDn"},
	    {"NPage", "PgDn"},	{"IC", "Insert"},  {"DC", "Delete"},
	    {"Escape", "Esc"},
	};
	struct buf b = {0};

	for (; name[0] && name[1] && (name[0] == '^' || name[2]); name++) {
		if (name[0] != '^' && name[1] != '-')
			break;
		if (strchr("^Cc", name[0]))
			buf_adds(&b, "Ctrl-");
		else
			buf_adds(&b, strchr("Ss", name[0]) ? "Shift-" : "Alt-");
		name += name[0] != '^';
	}
	for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
		if (strcasecmp(name, other[i][0]) == 0)
			name = other[i][1];
	if (b.len && name[0] >= 'a' && name[0] <= 'z' && !name[1] &&
	    b.data[0] == 'C')
		buf_addc(&b, (char)(name[0] - 'a' + 'A'));
	else
		buf_adds(&b, name);
	return buf_steal(&b);
}
