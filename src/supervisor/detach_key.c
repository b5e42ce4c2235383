/* detach_key.c - a few byte sequences, and where a paste begins and ends. */
#include "supervisor/detach_key.h"

#include <string.h>

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

void detach_key_add(struct detach_key *d, const char *hex)
{
	size_t len = 0;

	if (d->n == DETACH_KEY_FORMS)
		return;
	for (; *hex; hex += 2) {
		int high = hex_digit(hex[0]);
		int low = high < 0 ? -1 : hex_digit(hex[1]);

		if (low < 0 || len == DETACH_KEY_BYTES)
			return;
		d->forms[d->n].bytes[len++] = (char)(high * 16 + low);
	}
	d->forms[d->n].len = len;
	d->n += len > 0;
}

/* ESC [ 200 ~ begins a paste, ESC [ 201 ~ ends it; either may come in parts,
 * because a read ends where it likes. */
static void look_for_mark(struct detach_key *d, char c)
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

static enum detach_found look_for_key(const struct detach_key *d,
				      const char *data, size_t len)
{
	for (size_t i = 0; i < d->n; i++) {
		size_t want = d->forms[i].len;
		const char *bytes = d->forms[i].bytes;

		if (len >= want && memcmp(data, bytes, want) == 0)
			return DETACH_KEY;
		if (data[0] == '\033' && len < want &&
		    memcmp(data, bytes, len) == 0)
			return DETACH_BEGINNING;
	}
	return DETACH_NOTHING;
}

enum detach_found detach_key_find(struct detach_key *d, const char *data,
				  size_t len, size_t *at)
{
	for (*at = 0; *at < len; ++*at) {
		enum detach_found f = DETACH_NOTHING;

		if (!d->pasting)
			f = look_for_key(d, data + *at, len - *at);
		if (f != DETACH_NOTHING)
			return f;
		look_for_mark(d, data[*at]);
	}
	return DETACH_NOTHING;
}

void detach_key_skip(struct detach_key *d, const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		look_for_mark(d, data[i]);
}
