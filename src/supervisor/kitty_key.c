/*
 * kitty_key.c - reads `ESC [ code : shifted : base ; mods : event ; text
 * final`, of which only ESC, [ and final are always there.
 *
 * The base code is the code of the same key in a Latin layout; it is used if
 * the code itself is of another script.
 */
#include "supervisor/kitty_key.h"

#include <string.h>

#define SEQUENCE_MAX 48 /* longest sequence of a key */
#define LOCKS	     (64 | 128)

/* Reads a number and moves *at past it. Returns otherwise if there is none. */
static int read_number(const char **at, int otherwise)
{
	int n = 0;

	if (**at < '0' || **at > '9')
		return otherwise;
	for (; **at >= '0' && **at <= '9'; ++*at)
		n = n < 1 << 24 ? n * 10 + (**at - '0') : n;
	return n;
}

size_t kitty_key_read(const char *data, size_t len, struct kitty_key *out)
{
	char seq[SEQUENCE_MAX + 2] = "";
	const char *at = seq + 2;
	int base = 0, mods = 1, event = 1;
	size_t n;

	if (len < 3 || data[0] != '\033' || data[1] != '[')
		return 0;
	memcpy(seq, data, len < sizeof seq - 1 ? len : sizeof seq - 1);
	n = 2 + strspn(at, "0123456789:;");
	*out = (struct kitty_key){.final = seq[n]};
	out->code = read_number(&at, 1);
	if (*at == ':')
		at++, read_number(&at, 0);
	if (*at == ':')
		at++, base = read_number(&at, 0);
	if (*at == ';')
		at++, mods = read_number(&at, 1);
	if (*at == ':')
		at++, event = read_number(&at, 1);
	if (mods < 1 || out->final == '\0' ||
	    (at != seq + n && (*at != ';' || out->final != 'u')))
		return 0;
	if (out->code > 127 && base)
		out->code = base;
	out->mods = ((mods - 1) & ~LOCKS) + 1;
	out->released = event == 3;
	return n + 1;
}
