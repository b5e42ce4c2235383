/*
 * ascii.h - measures a run of plain ASCII, eight bytes at a time.
 *
 * Agents print mostly ASCII, and each byte is read three times: by the scanner,
 * the model and the transcript.
 */
#ifndef AFW_BASE_ASCII_H
#define AFW_BASE_ASCII_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The byte in each of eight places. */
#define ASCII_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/*
 * Returns the number of bytes at s (of len) before the first that is below low,
 * above high (at most 0x7f), one or other. Inline, as the bounds are constants.
 *
 * A borrow or a carry out of one byte changes only the bytes after it, so the
 * first marked byte is always right.
 */
static inline size_t ascii_run(const char *s, size_t len, uint8_t low,
			       uint8_t high, uint8_t one, uint8_t other)
{
	size_t i = 0;

	for (; len - i >= sizeof(uint64_t); i += sizeof(uint64_t)) {
		uint64_t w, not_one, not_other, stop;

		memcpy(&w, s + i, sizeof w);
		w = le64toh(w);
		not_one = w ^ ASCII_EACH(one);
		not_other = w ^ ASCII_EACH(other);
		stop = w | (w - ASCII_EACH(low)) |
		       (w + ASCII_EACH(0x7f - high)) |
		       ((not_one - ASCII_EACH(1)) & ~not_one) |
		       ((not_other - ASCII_EACH(1)) & ~not_other);
		stop &= ASCII_EACH(0x80);
		if (stop)
			return i + (size_t)__builtin_ctzll(stop) / 8;
	}
	while (i < len && (uint8_t)s[i] >= low && (uint8_t)s[i] <= high &&
	       (uint8_t)s[i] != one && (uint8_t)s[i] != other)
		i++;
	return i;
}

#endif
