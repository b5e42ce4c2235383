/* message_id.c - a time, a counter, and what makes it unlike all others. */
#include "opencode/message_id.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"

#define RANDOM_LETTERS 14

void message_id(int64_t now_ms, char out[MESSAGE_ID_SIZE])
{
	static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "abcdefghijklmnopqrstuvwxyz";
	static uint64_t last;
	/* The counter has 12 bits; it begins with 1, as theirs does. */
	uint64_t stamp = (uint64_t)now_ms * 0x1000 + 1;
	char hex[2 * RANDOM_LETTERS + 1], two[3] = "";
	int n;

	if (stamp <= last)
		stamp = last + 1;
	last = stamp;
	n = snprintf(out, MESSAGE_ID_SIZE, "msg_%012llx",
		     (unsigned long long)(stamp & 0xffffffffffff));
	random_hex(hex, 2 * RANDOM_LETTERS);
	for (int i = 0; i < RANDOM_LETTERS; i++) {
		two[0] = hex[2 * i];
		two[1] = hex[2 * i + 1];
		out[n++] = letters[strtoul(two, NULL, 16) % 62];
	}
	out[n] = '\0';
}
