/* test_base_ascii.c - runs of ASCII, against looking at each byte. */
#include "base/ascii.h"
#include "support_unit.h"

static size_t plain_run(const uint8_t *s, size_t len, uint8_t low, uint8_t high,
			uint8_t one, uint8_t other)
{
	size_t i = 0;

	while (i < len && s[i] >= low && s[i] <= high && s[i] != one &&
	       s[i] != other)
		i++;
	return i;
}

/* Bytes at the edges of the printable range, followed by others. */
TEST(ascii_run__is_what_each_byte_says)
{
	static const uint8_t edge[] = {0x00, 0x04, 0x05, 0x06, 0x1f, 0x20,
				       0x21, 0x22, 0x23, 0x5b, 0x5c, 0x5d,
				       0x7e, 0x7f, 0x80, 0x81, 0xfe, 0xff};
	static const struct {
		uint8_t low, high, one, other;
	} bounds[] = {{0x20, 0x7e, '"', '\\'},
		      {0x20, 0x7e, 0x7f, 0x7f},
		      {0x00, 0x7f, 0x05, 0x05}};
	uint8_t s[40];
	uint32_t seed = 1;

	for (int round = 0; round < 200000; round++) {
		size_t len = 0, at;

		for (size_t i = 0; i < sizeof s; i++) {
			seed = seed * 1103515245 + 12345;
			s[i] = seed >> 28 ? 'a' + (seed >> 24) % 26
					  : edge[(seed >> 16) % sizeof edge];
		}
		seed = seed * 1103515245 + 12345;
		at = (seed >> 16) % 9;
		len = (seed >> 20) % (sizeof s - at + 1);
		for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++)
			assert_int_equal(
			    ascii_run((char *)s + at, len, bounds[b].low,
				      bounds[b].high, bounds[b].one,
				      bounds[b].other),
			    plain_run(s + at, len, bounds[b].low,
				      bounds[b].high, bounds[b].one,
				      bounds[b].other));
	}
}
