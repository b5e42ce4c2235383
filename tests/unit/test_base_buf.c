/* test_base_buf.c - the growing run of bytes. */
#include "base/buf.h"
#include "support_unit.h"

TEST(buf__is_terminated)
{
	struct buf b = {0};

	buf_adds(&b, "one");
	assert_int_equal(b.len, 3);
	assert_int_equal(b.data[3], '\0');
	buf_addc(&b, '!');
	buf_addf(&b, " %d %s", 42, "more");
	assert_string_equal(b.data, "one! 42 more");
	buf_finish(&b);
	assert_null(b.data);
}

TEST(buf__drops_from_the_front)
{
	struct buf b = {0};

	buf_adds(&b, "abcdef");
	buf_drop(&b, 2);
	assert_string_equal(b.data, "cdef");
	buf_drop(&b, 4);
	assert_int_equal(b.len, 0);
	assert_string_equal(b.data, "");
	buf_drop(&b, 0);
	buf_finish(&b);
}

TEST(buf__steal_is_never_null)
{
	struct buf b = {0};
	char *s = buf_steal(&b);

	assert_non_null(s);
	assert_string_equal(s, "");
	free(s);
	buf_adds(&b, "x");
	s = buf_steal(&b);
	assert_string_equal(s, "x");
	assert_int_equal(b.len, 0);
	assert_null(b.data);
	free(s);
}

TEST(buf__keeps_nul_bytes_and_grows)
{
	struct buf b = {0};
	size_t i;

	for (i = 0; i < 10000; i++)
		buf_add(&b, "a\0b", 3);
	assert_int_equal(b.len, 30000);
	assert_memory_equal(b.data + 29997, "a\0b", 4);
	buf_clear(&b);
	assert_int_equal(b.len, 0);
	assert_true(b.cap >= 30000);
	memset(buf_room(&b, 100000), 'x', 100000);
	b.len += 100000;
	buf_addc(&b, 'y');
	assert_int_equal(b.data[100000], 'y');
	assert_int_equal(b.data[100001], '\0');
	buf_finish(&b);
}

TEST(buf__is_terminated_although_nothing_was_read)
{
	struct buf b = {0};

	/* The memory that malloc() returns next is not zero. */
	memset(buf_room(&b, 60), 'x', 60);
	buf_finish(&b);
	buf_room(&b, 60);
	assert_string_equal(b.data, "");
	buf_adds(&b, "abc");
	buf_room(&b, 5000);
	assert_string_equal(b.data, "abc");
	buf_finish(&b);
}

TEST(buf__addf_takes_long_text)
{
	struct buf b = {0};
	char *text = malloc(5000);

	memset(text, 'z', 4999);
	text[4999] = '\0';
	buf_addf(&b, "<%s>", text);
	assert_int_equal(b.len, 5001);
	assert_int_equal(b.data[5000], '>');
	free(text);
	buf_finish(&b);
}
