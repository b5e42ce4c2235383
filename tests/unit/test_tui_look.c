/* test_tui_look.c - what the dashboard shows can be read on any background. */
#include "tui/look.h"
#include "support_unit.h"

/* Light and dark: xterm, GNOME, Solarized. */
static const int32_t backgrounds[] = {0xffffff, 0x000000, 0x171421,
				      0xfdf6e3, 0x002b36, 0x1e1e1e};

/* sRGB made linear, by a polynomial that is near enough. */
static double part(int32_t rgb, int shift)
{
	double c = (rgb >> shift & 255) / 255.0;

	return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
}

/* As WCAG 2 defines them. */
static double luminance(int32_t rgb)
{
	return 0.2126 * part(rgb, 16) + 0.7152 * part(rgb, 8) +
	       0.0722 * part(rgb, 0);
}

static double contrast(int32_t a, int32_t b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

	return x > y ? x / y : y / x;
}

TEST(look__colours_read_on_light_and_dark)
{
	for (int look = 0; look < LOOK_COUNT; look++) {
		struct style st = look_style((enum look)look, 256);

		if (st.fg == STYLE_DEFAULT) {
			assert_int_equal(st.bg, STYLE_DEFAULT);
			continue;
		}
		/* No theme has changed them. */
		assert_true(st.fg >= 16);
		if (st.bg != STYLE_DEFAULT) {
			assert_true(st.bg >= 16);
			assert_true(contrast(style_palette_rgb(st.fg),
					     style_palette_rgb(st.bg)) >= 7);
			continue;
		}
		for (size_t i = 0;
		     i < sizeof backgrounds / sizeof backgrounds[0]; i++)
			if (contrast(style_palette_rgb(st.fg), backgrounds[i]) <
			    3)
				fail_msg("look %d on #%06x", look,
					 (unsigned)backgrounds[i]);
	}
}

TEST(look__nothing_is_told_by_colour_alone)
{
	for (int look = 0; look < LOOK_COUNT; look++) {
		struct style st = look_style((enum look)look, 0);

		assert_int_equal(st.fg, STYLE_DEFAULT);
		assert_int_equal(st.bg, STYLE_DEFAULT);
	}
	assert_true(look_style(LOOK_WAITING, 0).attrs & STYLE_REVERSE);
	assert_true(look_style(LOOK_ERROR, 0).attrs & STYLE_BOLD);
}

TEST(look__few_colours_are_named_ones)
{
	for (int look = 0; look < LOOK_COUNT; look++) {
		struct style st = look_style((enum look)look, 8);

		assert_in_range(st.fg + 1, 0, 8);
		assert_in_range(st.bg + 1, 0, 8);
		/* Bold black is grey on many. */
		assert_false(st.fg == 0 && (st.attrs & STYLE_BOLD));
	}
}

TEST(style__fewer_colours)
{
	bool bright;

	assert_int_equal(style_nearest_256(STYLE_RGB(255, 0, 0)), 196);
	assert_int_equal(style_nearest_256(STYLE_RGB(0, 0, 0)), 16);
	assert_int_equal(style_nearest_256(STYLE_RGB(255, 255, 255)), 231);
	assert_int_equal(style_nearest_256(STYLE_RGB(118, 118, 118)), 243);
	for (int i = 16; i < 256; i++)
		assert_int_equal(
		    style_palette_rgb(style_nearest_256(style_palette_rgb(i))),
		    style_palette_rgb(i));
	assert_int_equal(style_nearest_8(9, &bright), 1);
	assert_true(bright);
	assert_int_equal(style_nearest_8(196, &bright), 1);
	assert_true(bright);
	assert_int_equal(style_nearest_8(STYLE_RGB(0, 200, 0), &bright), 2);
	assert_false(bright);
}
