/* sha256.h - SHA-256 (FIPS 180-4) of a run of bytes in memory. */
#ifndef AFW_BASE_SHA256_H
#define AFW_BASE_SHA256_H

#include <stddef.h>

#define SHA256_SIZE	32
#define SHA256_HEX_SIZE (2 * SHA256_SIZE + 1)

void sha256(const void *data, size_t len, unsigned char out[SHA256_SIZE]);

/* As lower-case hexadecimal digits, terminated. */
void sha256_hex(const void *data, size_t len, char out[SHA256_HEX_SIZE]);

#endif
