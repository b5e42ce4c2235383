/* test_base_clock.c - times and durations as text. */
#include "base/clock.h"
#include "support_unit.h"

TEST(clock__formats_and_parses_rfc3339)
{
	char text[CLOCK_RFC3339_SIZE];

	clock_format(0, text);
	assert_string_equal(text, "1970-01-01T00:00:00.000Z");
	clock_format(1795252502123, text);
	assert_string_equal(text, "2026-11-21T09:15:02.123Z");
	assert_true(clock_parse(text) == 1795252502123);
	assert_true(clock_parse("2026-11-21T09:15:02Z") == 1795252502000);
	assert_true(clock_parse("2026-11-21T09:15:02.5Z") == 1795252502500);
	assert_int_equal(clock_parse("2026-11-21"), -1);
	assert_int_equal(clock_parse("2026-11-21T09:15:02"), -1);
	assert_int_equal(clock_parse("2026-11-21T09:15:02+01:00"), -1);
	assert_int_equal(clock_parse(""), -1);
}

TEST(clock__ages_are_short)
{
	static const struct {
		int64_t s;
		const char *text;
	} cases[] = {{-5, "0s"},      {0, "0s"},      {59, "59s"},
		     {60, "1m"},      {3599, "59m"},  {3600, "1h"},
		     {172799, "47h"}, {172800, "2d"}, {86400 * 400, "400d"}};
	char out[16];

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		clock_age(cases[i].s * 1000, out, sizeof out);
		assert_string_equal(out, cases[i].text);
	}
}

TEST(clock__what_is_left_is_rounded_up)
{
	static const struct {
		int64_t ms;
		const char *text;
	} cases[] = {{-5, "0s"},
		     {0, "0s"},
		     {1, "1s"},
		     {59500, "1m"},
		     {3600001, "2h"},
		     {14 * 86400000LL - 5, "14d"},
		     {14 * 86400000LL, "14d"}};
	char out[16];

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		clock_left(cases[i].ms, out, sizeof out);
		assert_string_equal(out, cases[i].text);
	}
}

TEST(clock__durations_have_units)
{
	static const char *const bad[] = {"",
					  "s",
					  "-1s",
					  "1.5s",
					  "5 s",
					  "5x",
					  "1s2m",
					  "+5",
					  " 5",
					  "99999999999999999999",
					  "9999999999999d"};

	assert_int_equal(clock_duration_ms("500ms"), 500);
	assert_int_equal(clock_duration_ms("5"), 5000);
	assert_int_equal(clock_duration_ms("5s"), 5000);
	assert_int_equal(clock_duration_ms("2m"), 120000);
	assert_int_equal(clock_duration_ms("1h"), 3600000);
	assert_int_equal(clock_duration_ms("1d"), 86400000);
	assert_int_equal(clock_duration_ms("0"), 0);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_int_equal(clock_duration_ms(bad[i]), -1);
}
