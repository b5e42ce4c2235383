/* random.h - makes unpredictable names, from the kernel's random numbers. */
#ifndef AFW_BASE_RANDOM_H
#define AFW_BASE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

/* Writes n lower-case hex digits (n even, at most 64) and a NUL: n+1 bytes. */
void random_hex(char *out, size_t n);

/* True if s is exactly n such digits. */
bool random_is_hex(const char *s, size_t n);

/* The same after prefix. */
bool random_is_named(const char *s, const char *prefix, size_t n);

/* Writes a version 4 UUID, "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx": 37 bytes. */
#define RANDOM_UUID_SIZE 37
void random_uuid(char out[RANDOM_UUID_SIZE]);

#endif
