/*
 * typed_keys.c - separates a person's keys from a terminal's own reports.
 *
 * A terminal with focus and mouse reports sends bytes whenever the pointer
 * crosses it. If these counted as typing, a message could never be sent to a
 * session that a user only looks at. Only sequences that are known to be
 * reports are skipped; everything else is a key.
 */
#include "supervisor/typed_keys.h"

#include <stdbool.h>
#include <string.h>

#include "supervisor/kitty_key.h"

#define ESC  '\033'
#define CTRL 5 /* kitty's number for this modifier alone */

/* Returns the length of a CSI sequence (from ESC on) that is a report, or 0. */
static size_t csi_report(const char *s, size_t len)
{
	size_t i = 2;
	char lead, final;

	while (i < len &&
	       ((unsigned char)s[i] < 0x40 || (unsigned char)s[i] > 0x7e)) {
		if ((unsigned char)s[i] < 0x20)
			return 0;
		i++;
	}
	if (i >= len)
		return 0;
	lead = s[2];
	final = s[i];
	if (i == 2) { /* no parameters: focus, or the old mouse report */
		if (final == 'I' || final == 'O')
			return 3;
		if (final == 'M' && len >= 6)
			return 6;
		return 0;
	}
	if (lead == '<' && (final == 'M' || final == 'm'))
		return i + 1;
	if (final == 'c' && (lead == '?' || lead == '>'))
		return i + 1;
	if (final == 'R' && strchr("?0123456789", lead) != NULL &&
	    memchr(s, ';', i) != NULL && s[2] != '1')
		return i + 1;
	/* ESC[1;2R is both Shift-F3 and a cursor report: treated as a key, to
	 * be safe. */
	if (lead == '?' && (final == 'n' || final == 'u' || final == 'y'))
		return i + 1;
	if (final == 'n' && lead == '0')
		return i + 1;
	return 0;
}

/* Returns the length of an OSC, DCS or APC answer, or 0 if it does not end. */
static size_t string_report(const char *s, size_t len)
{
	for (size_t i = 2; i < len; i++) {
		if (s[i] == '\a')
			return i + 1;
		if (s[i] == ESC)
			return i + 1 < len && s[i + 1] == '\\' ? i + 2 : 0;
	}
	return 0;
}

static bool is_typed(const char *data, size_t len)
{
	size_t i = 0;

	while (i < len) {
		size_t n = 0;

		if (len - i >= 3 && data[i] == ESC) {
			if (data[i + 1] == '[')
				n = csi_report(data + i, len - i);
			else if (strchr("]P_", data[i + 1]) != NULL &&
				 data[i + 1] != '\0')
				n = string_report(data + i, len - i);
		}
		if (n == 0)
			return true;
		i += n;
	}
	return false;
}

static bool is_key(const struct kitty_key *key, int code, int mods)
{
	return key->final == 'u' && key->code == code && key->mods == mods;
}

/* Returns the length of one Escape or Ctrl-C at the start, or 0. */
static size_t interrupt_key(const char *s, size_t len)
{
	struct kitty_key key;
	size_t n = kitty_key_read(s, len, &key);

	if (n && (is_key(&key, 27, 1) || is_key(&key, 'c', CTRL)))
		return n;
	if (s[0] == '\003')
		return 1;
	/* Escape, if it does not start a sequence. */
	return s[0] == ESC && (len == 1 || s[1] == ESC) ? 1 : 0;
}

static bool is_interrupt(const char *data, size_t len)
{
	size_t i = 0;

	while (i < len) {
		size_t n = interrupt_key(data + i, len - i);

		if (n == 0)
			return false;
		i += n;
	}
	return len > 0;
}

/* Returns whether the key is in data, in one of kitty's forms. */
static bool has_key(const char *data, size_t len, int code, int mods)
{
	struct kitty_key key;

	for (size_t i = 0; i < len; i++)
		if (kitty_key_read(data + i, len - i, &key) &&
		    is_key(&key, code, mods) && !key.released)
			return true;
	return false;
}

static bool has_ctrl_z(const char *data, size_t len)
{
	static const char xterm[] = "\033[27;5;122~";

	return memchr(data, '\032', len) || has_key(data, len, 'z', CTRL) ||
	       memmem(data, len, xterm, sizeof xterm - 1);
}

static bool has_enter(const char *data, size_t len)
{
	return memchr(data, '\r', len) || memchr(data, '\n', len) ||
	       has_key(data, len, '\r', 1);
}

unsigned typed_keys_find(const char *data, size_t len)
{
	if (!is_typed(data, len))
		return 0;
	return TYPED_KEY | (is_interrupt(data, len) ? TYPED_INTERRUPT : 0) |
	       (has_enter(data, len) ? TYPED_ENTER : 0) |
	       (has_ctrl_z(data, len) ? TYPED_CTRL_Z : 0);
}
