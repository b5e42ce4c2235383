/* size.h - prints a number of bytes for people. */
#ifndef AFW_BASE_SIZE_H
#define AFW_BASE_SIZE_H

#include <stdint.h>

/* Writes "12K", "40M": rounded up, in at most five columns. */
#define SIZE_TEXT 24
void size_text(int64_t bytes, char out[SIZE_TEXT]);

#endif
