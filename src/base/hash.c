/*
 * hash.c - SHA-256 (FIPS 180-4), and FNV-1a.
 */
#include "base/hash.h"

#include <stdio.h>
#include <string.h>

/* The first 32 bits of the fractional parts of the cube roots of the first 64
 * primes. */
static const uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t ror(uint32_t v, int n)
{
	return (v >> n) | (v << (32 - n));
}

static void expand(uint32_t w[64], const unsigned char *p)
{
	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 |
		       (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
	for (int i = 16; i < 64; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];

		w[i] = w[i - 16] + (ror(a, 7) ^ ror(a, 18) ^ (a >> 3)) +
		       w[i - 7] + (ror(b, 17) ^ ror(b, 19) ^ (b >> 10));
	}
}

static void block(uint32_t state[8], const unsigned char *p)
{
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3],
		 e = state[4], f = state[5], g = state[6], h = state[7], w[64];

	expand(w, p);
	for (int i = 0; i < 64; i++) {
		uint32_t t1 = h + (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25)) +
			      ((e & f) ^ (~e & g)) + k[i] + w[i];
		uint32_t t2 = (ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) +
			      ((a & b) ^ (a & c) ^ (b & c));

		h = g;
		g = f;
		f = e;
		e = d + t1;
		d = c;
		c = b;
		b = a;
		a = t1 + t2;
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
	state[4] += e;
	state[5] += f;
	state[6] += g;
	state[7] += h;
}

void sha256_add(struct sha256 *s, const void *data, size_t len)
{
	static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
					  0xa54ff53a, 0x510e527f, 0x9b05688c,
					  0x1f83d9ab, 0x5be0cd19};
	const unsigned char *p = data;
	size_t have = s->len % 64, n = len < 64 - have ? len : 64 - have;

	if (s->len == 0)
		memcpy(s->h, first, sizeof first);
	s->len += len;
	if (have && len) {
		memcpy(s->tail + have, p, n);
		if (have + n < 64)
			return;
		block(s->h, s->tail);
		p += n;
		len -= n;
	}
	for (; len >= 64; p += 64, len -= 64)
		block(s->h, p);
	if (len)
		memcpy(s->tail, p, len);
}

static void end(struct sha256 *s, unsigned char out[SHA256_SIZE])
{
	uint64_t bits = s->len * 8;
	size_t have = s->len % 64, pad = have < 56 ? 64 - have : 128 - have;
	unsigned char last[128] = {0x80};

	for (size_t i = 0; i < 8; i++)
		last[pad - 1 - i] = (unsigned char)(bits >> (8 * i));
	sha256_add(s, last, pad);
	for (int i = 0; i < 8; i++)
		for (int j = 0; j < 4; j++)
			out[4 * i + j] =
			    (unsigned char)(s->h[i] >> (24 - 8 * j));
}

static void to_hex(const unsigned char sum[SHA256_SIZE],
		   char out[SHA256_HEX_SIZE])
{
	for (size_t i = 0; i < SHA256_SIZE; i++)
		snprintf(out + 2 * i, 3, "%02x", sum[i]);
}

void sha256_end(struct sha256 *s, char out[SHA256_HEX_SIZE])
{
	unsigned char sum[SHA256_SIZE];

	end(s, sum);
	to_hex(sum, out);
}

void sha256(const void *data, size_t len, unsigned char out[SHA256_SIZE])
{
	struct sha256 s = {.len = 0};

	sha256_add(&s, data, len);
	end(&s, out);
}

void sha256_hex(const void *data, size_t len, char out[SHA256_HEX_SIZE])
{
	unsigned char sum[SHA256_SIZE];

	sha256(data, len, sum);
	to_hex(sum, out);
}

uint64_t hash_add(uint64_t h, const void *data, size_t len)
{
	const unsigned char *p = data;

	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * UINT64_C(0x100000001b3);
	return h;
}
