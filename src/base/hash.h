/* hash.h - digests of bytes: SHA-256 (FIPS 180-4) to prove equal
 * bytes, FNV-1a for a name or to notice a change. */
#ifndef AFW_BASE_HASH_H
#define AFW_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_SIZE	32
#define SHA256_HEX_SIZE (2 * SHA256_SIZE + 1)

void sha256(const void *data, size_t len, unsigned char out[SHA256_SIZE]);

/* The same in parts: zeroed before the first sha256_add(). */
struct sha256 {
	uint32_t h[8];
	unsigned char tail[64];
	uint64_t len;
};
void sha256_add(struct sha256 *s, const void *data, size_t len);
void sha256_end(struct sha256 *s, char out[SHA256_HEX_SIZE]);

/* Writes the digest as lower-case hexadecimal digits, terminated. */
void sha256_hex(const void *data, size_t len, char out[SHA256_HEX_SIZE]);

/* Returns FNV-1a of data, continued from h, the hash of the bytes before it, or
 * HASH_NONE. An attacker who chooses the bytes can choose the hash. */
#define HASH_NONE UINT64_C(0xcbf29ce484222325)
uint64_t hash_add(uint64_t h, const void *data, size_t len);

#endif
