/* test_tui_look.c - what the dashboard shows can be read on any background. */
#include "tui/term/look.h"
#include "support_unit.h"

/* Light and dark: xterm, GNOME, Solarized. */
static const uint32_t backgrounds[] = {0xffffff, 0x000000, 0x171421,
				       0xfdf6e3, 0x002b36, 0x1e1e1e};

/* sRGB made linear, by a polynomial that is near enough. */
static double part(uint32_t rgb, int shift)
{
	double c = (rgb >> shift & 255) / 255.0;

	return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
}

/* As WCAG 2 defines them. */
static double luminance(uint32_t rgb)
{
	return 0.2126 * part(rgb, 16) + 0.7152 * part(rgb, 8) +
	       0.0722 * part(rgb, 0);
}

static double contrast(uint32_t a, uint32_t b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

	return x > y ? x / y : y / x;
}

TEST(look__colours_read_on_light_and_dark)
{
	for (int look = 0; look < LOOK_COUNT; look++) {
		struct style st = look_style((enum look)look, 256);

		if (!st.fg) {
			assert_int_equal(st.bg, 0);
			continue;
		}
		/* No theme has changed them. */
		assert_true((st.fg & 255) >= 16);
		if (st.bg) {
			assert_true((st.bg & 255) >= 16);
			assert_true(
			    contrast(look_rgb(st.fg), look_rgb(st.bg)) >= 7);
			continue;
		}
		for (size_t i = 0;
		     i < sizeof backgrounds / sizeof backgrounds[0]; i++)
			if (contrast(look_rgb(st.fg), backgrounds[i]) < 3)
				fail_msg("look %d on #%06x", look,
					 (unsigned)backgrounds[i]);
	}
}

TEST(look__nothing_is_told_by_colour_alone)
{
	for (int look = 0; look < LOOK_COUNT; look++) {
		struct style st = look_style((enum look)look, 0);

		assert_int_equal(st.fg, 0);
		assert_int_equal(st.bg, 0);
	}
	assert_true(look_style(LOOK_WAITING, 0).attrs & SCREEN_REVERSE);
	assert_true(look_style(LOOK_ERROR, 0).attrs & SCREEN_BOLD);
}

TEST(look__few_colours_are_named_ones)
{
	for (int look = 0; look < LOOK_COUNT; look++) {
		struct style st = look_style((enum look)look, 8);

		assert_true((st.fg & 255) < 8);
		assert_true((st.bg & 255) < 8);
		/* Bold black is grey on many. */
		assert_false(st.fg == SCREEN_COLOR_INDEX &&
			     (st.attrs & SCREEN_BOLD));
	}
}

TEST(look__fewer_colours)
{
	assert_int_equal(look_nearest(0xff0000, 16, 256), 196);
	assert_int_equal(look_nearest(0x000000, 16, 256), 16);
	assert_int_equal(look_nearest(0xffffff, 16, 256), 231);
	assert_int_equal(look_nearest(0x767676, 16, 256), 243);
	assert_int_equal(look_nearest(0xff0000, 0, 16), 9);
	assert_int_equal(look_nearest(0x00c800, 0, 16), 2);
}
