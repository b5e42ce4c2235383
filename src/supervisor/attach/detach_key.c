/* detach_key.c - matches byte sequences, and tracks where a paste begins and
 * ends. */
#include "supervisor/attach/detach_key.h"

#include <stdio.h>
#include <string.h>

#include "supervisor/kitty_key.h"

#define SEQUENCE_MAX 48 /* longest sequence of a key */

void detach_key_add(struct detach_key *d, const char *hex)
{
	size_t n = strspn(hex, "0123456789abcdef");

	if (d->n == DETACH_KEY_FORMS || n == 0 || n % 2 || hex[n] ||
	    n / 2 > DETACH_KEY_BYTES)
		return;
	for (size_t i = 0; i < n / 2; i++)
		sscanf(hex + 2 * i, "%2hhx",
		       (unsigned char *)&d->forms[d->n].bytes[i]);
	d->forms[d->n++].len = n / 2;
}

/* ESC [ 200 ~ begins a paste, ESC [ 201 ~ ends it. Either may arrive in parts,
 * because a read can end anywhere. */
static void find_mark(struct detach_key *d, char c)
{
	static const char mark[] = "\033[20?~";
	bool digit = mark[d->mark] == '?' && (c == '0' || c == '1');

	if (!digit && (c != mark[d->mark] || c == '?')) {
		d->mark = c == mark[0];
		return;
	}
	if (digit)
		d->mark_ends = c == '1';
	if (++d->mark < sizeof mark - 1)
		return;
	d->pasting = !d->mark_ends;
	d->mark = 0;
}

static bool is_form(const struct detach_key *d, const char *bytes, size_t len)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->forms[i].len == len &&
		    memcmp(d->forms[i].bytes, bytes, len) == 0)
			return true;
	return false;
}

/* Matches it in its shortest form. */
static bool is_kitty_form(const struct detach_key *d,
			  const struct kitty_key *key)
{
	char text[64];
	int n;

	if (key->released)
		return false;
	if (key->mods > 1)
		n = snprintf(text, sizeof text, "\033[%d;%d%c", key->code,
			     key->mods, key->final);
	else if (key->code == 1)
		n = snprintf(text, sizeof text, "\033[%c", key->final);
	else
		n = snprintf(text, sizeof text, "\033[%d%c", key->code,
			     key->final);
	return is_form(d, text, (size_t)n);
}

/* Returns what begins at data[0], outside of a paste. */
static enum detach_found match_sequence(const struct detach_key *d,
					const char *data, size_t len)
{
	struct kitty_key key;
	size_t n = 2;

	if (data[0] != '\033')
		return is_form(d, data, 1) ? DETACH_KEY : DETACH_NOTHING;
	for (size_t i = 0; i < d->n; i++) {
		size_t want = d->forms[i].len;

		if (memcmp(data, d->forms[i].bytes, want < len ? want : len) !=
		    0)
			continue;
		return want <= len ? DETACH_KEY : DETACH_BEGINNING;
	}
	if (len == 1)
		return DETACH_BEGINNING;
	if (data[1] != '[')
		return DETACH_NOTHING;
	while (n < len && n < SEQUENCE_MAX && data[n] &&
	       strchr("0123456789:;", data[n]))
		n++;
	if (n == len)
		return DETACH_BEGINNING;
	if (n == 2 && (data[n] == 'I' || data[n] == 'O'))
		return data[n] == 'I' ? DETACH_FOCUS_IN : DETACH_FOCUS_OUT;
	return kitty_key_read(data, len, &key) && is_kitty_form(d, &key)
		   ? DETACH_KEY
		   : DETACH_NOTHING;
}

enum detach_found detach_key_find(struct detach_key *d, const char *data,
				  size_t len, size_t *at)
{
	for (*at = 0; *at < len; ++*at) {
		enum detach_found f = DETACH_NOTHING;

		if (!d->pasting)
			f = match_sequence(d, data + *at, len - *at);
		if (f != DETACH_NOTHING)
			return f;
		find_mark(d, data[*at]);
	}
	return DETACH_NOTHING;
}

void detach_key_skip(struct detach_key *d, const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		find_mark(d, data[i]);
}
