/* random.h - unpredictable names, from the kernel. */
#ifndef AFW_BASE_RANDOM_H
#define AFW_BASE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

/* n lower-case hex digits (n even, at most 64) and a NUL: n+1 bytes. */
void random_hex(char *out, size_t n);

/* Whether s is n such digits and nothing else. */
bool random_is_hex(const char *s, size_t n);

/* The same behind prefix. */
bool random_is_named(const char *s, const char *prefix, size_t n);

/* A version 4 UUID, "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx": 37 bytes. */
#define RANDOM_UUID_SIZE 37
void random_uuid(char out[RANDOM_UUID_SIZE]);

#endif
