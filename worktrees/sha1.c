/*
 * sha1.c - SHA-1 (FIPS 180-4) of a run of bytes in memory.
 *
 * It is a checksum against a torn file here, nothing that security rests on.
 */
#include "worktrees/sha1.h"

#include <stdint.h>
#include <string.h>

static uint32_t rol(uint32_t v, int n)
{
	return (v << n) | (v >> (32 - n));
}

static void block(uint32_t h[5], const unsigned char *p)
{
	uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];

	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 |
		       (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
	for (int i = 16; i < 80; i++)
		w[i] = rol(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
	for (int i = 0; i < 80; i++) {
		uint32_t f, k, t;

		if (i < 20) {
			f = (b & c) | (~b & d);
			k = 0x5a827999;
		} else if (i < 40) {
			f = b ^ c ^ d;
			k = 0x6ed9eba1;
		} else if (i < 60) {
			f = (b & c) | (b & d) | (c & d);
			k = 0x8f1bbcdc;
		} else {
			f = b ^ c ^ d;
			k = 0xca62c1d6;
		}
		t = rol(a, 5) + f + e + k + w[i];
		e = d;
		d = c;
		c = rol(b, 30);
		b = a;
		a = t;
	}
	h[0] += a;
	h[1] += b;
	h[2] += c;
	h[3] += d;
	h[4] += e;
}

void sha1(const void *data, size_t len, unsigned char out[SHA1_SIZE])
{
	uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
			 0xc3d2e1f0};
	const unsigned char *p = data;
	unsigned char tail[128] = {0};
	size_t whole = len & ~(size_t)63, rest = len - whole, end;
	uint64_t bits = (uint64_t)len * 8;

	for (size_t i = 0; i < whole; i += 64)
		block(h, p + i);
	if (rest)
		memcpy(tail, p + whole, rest);
	tail[rest] = 0x80;
	end = rest < 56 ? 64 : 128;
	for (int i = 0; i < 8; i++)
		tail[end - 1 - (size_t)i] = (unsigned char)(bits >> (8 * i));
	for (size_t i = 0; i < end; i += 64)
		block(h, tail + i);
	for (int i = 0; i < 20; i++)
		out[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}
