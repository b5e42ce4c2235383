/* random.c - makes unpredictable names, from the kernel's random numbers. */
#include "base/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static void fill(unsigned char *out, size_t n)
{
	/* Up to 256 bytes are always complete once the pool is ready:
	 * random(7). */
	if (getrandom(out, n, 0) != (ssize_t)n)
		abort();
}

void random_hex(char *out, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char raw[32];

	fill(raw, n / 2);
	for (size_t i = 0; i < n / 2; i++) {
		out[2 * i] = digits[raw[i] >> 4];
		out[2 * i + 1] = digits[raw[i] & 15];
	}
	out[n] = '\0';
}

bool random_is_hex(const char *s, size_t n)
{
	return strspn(s, "0123456789abcdef") == n && !s[n];
}

bool random_is_named(const char *s, const char *prefix, size_t n)
{
	size_t len = strlen(prefix);

	return strncmp(s, prefix, len) == 0 && random_is_hex(s + len, n);
}

void random_uuid(char out[RANDOM_UUID_SIZE])
{
	unsigned char r[16];

	fill(r, sizeof r);
	r[6] = (r[6] & 0x0f) | 0x40;
	r[8] = (r[8] & 0x3f) | 0x80;
	snprintf(out, RANDOM_UUID_SIZE,
		 "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-"
		 "%02x%02x%02x%02x%02x%02x",
		 r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9],
		 r[10], r[11], r[12], r[13], r[14], r[15]);
}
