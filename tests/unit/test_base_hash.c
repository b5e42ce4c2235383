/* test_base_hash.c - sums are what the standards say. */
#include "base/buf.h"
#include "base/hash.h"
#include "support_unit.h"

TEST(sha256__is_the_standards)
{
	char hex[SHA256_HEX_SIZE];
	struct buf long_one = {0};

	sha256_hex("", 0, hex);
	assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb924"
				 "27ae41e4649b934ca495991b7852b855");
	sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		   56, hex);
	assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039"
				 "a33ce45964ff2167f6ecedd419db06c1");
	for (int i = 0; i < 1000; i++)
		buf_addc(&long_one, 'a');
	sha256_hex(long_one.data, long_one.len, hex);
	assert_string_equal(hex, "41edece42d63e8d9bf515a9ba6932e1c"
				 "20cbc9f5a5d134645adb5db1b9737ea3");
	buf_finish(&long_one);
}

TEST(sha256_add__takes_any_pieces)
{
	char text[300], whole[SHA256_HEX_SIZE], parts[SHA256_HEX_SIZE];

	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (char)i;
	for (size_t len = 0; len < sizeof text; len++) {
		struct sha256 s = {.len = 0};

		sha256_hex(text, len, whole);
		for (size_t at = 0, n; at < len; at += n) {
			n = (at * 7 + len) % 90 + 1;
			n = n > len - at ? len - at : n;
			sha256_add(&s, text + at, n);
		}
		sha256_end(&s, parts);
		assert_string_equal(parts, whole);
	}
}

TEST(hash_add__is_fnv_1a_whatever_the_pieces)
{
	uint64_t h = hash_add(HASH_NONE, "foo", 3);

	assert_true(hash_add(HASH_NONE, "", 0) == HASH_NONE);
	assert_true(hash_add(h, "bar", 3) == UINT64_C(0x85944171f73967e8));
}
