/* hash.h - digests of bytes in memory: SHA-256 (FIPS 180-4) for what must be
 * the same bytes, FNV-1a for a name or for "has it changed?". */
#ifndef AFW_BASE_HASH_H
#define AFW_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_SIZE	32
#define SHA256_HEX_SIZE (2 * SHA256_SIZE + 1)

void sha256(const void *data, size_t len, unsigned char out[SHA256_SIZE]);

/* As lower-case hexadecimal digits, terminated. */
void sha256_hex(const void *data, size_t len, char out[SHA256_HEX_SIZE]);

/* FNV-1a of data, added to h, which is that of what was before; HASH_NONE is
 * that of nothing. Who chooses the bytes can choose the digest. */
#define HASH_NONE UINT64_C(0xcbf29ce484222325)
uint64_t hash_add(uint64_t h, const void *data, size_t len);

#endif
