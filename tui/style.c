/*
 * style.c - colours turned into fewer colours.
 *
 * The 256 are 16 named ones (which every terminal paints as it likes), a
 * cube of 6x6x6 and 24 greys. RGB goes to the nearer of the best cube cell
 * and the best grey, never to the named ones.
 */
#include "tui/style.h"

static const int steps[6] = {0, 95, 135, 175, 215, 255};

static const int32_t named[16] = {
    0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
    0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
    0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
};

int32_t style_palette_rgb(int i)
{
	int grey;

	if (i < 16)
		return named[i & 15];
	if (i < 232) {
		i -= 16;
		return steps[i / 36] << 16 | steps[i / 6 % 6] << 8 |
		       steps[i % 6];
	}
	grey = 8 + 10 * (i - 232);
	return grey << 16 | grey << 8 | grey;
}

static int distance(int32_t a, int32_t b)
{
	int sum = 0;

	for (int shift = 0; shift <= 16; shift += 8) {
		int d = (a >> shift & 255) - (b >> shift & 255);

		sum += d * d;
	}
	return sum;
}

static int nearest_step(int value)
{
	int best = 0;

	for (int i = 1; i < 6; i++)
		if ((value - steps[i]) * (value - steps[i]) <
		    (value - steps[best]) * (value - steps[best]))
			best = i;
	return best;
}

int style_nearest_256(int32_t rgb)
{
	int r = rgb >> 16 & 255, g = rgb >> 8 & 255, b = rgb & 255;
	int cube =
	    16 + 36 * nearest_step(r) + 6 * nearest_step(g) + nearest_step(b);
	int level = (r + g + b) / 3;
	int grey = level < 8 ? 232 : level > 238 ? 255 : 232 + (level - 3) / 10;

	return distance(rgb, style_palette_rgb(grey)) <
		       distance(rgb, style_palette_rgb(cube))
		   ? grey
		   : cube;
}

int style_nearest_8(int32_t colour, bool *bright)
{
	int best = 0;

	if (colour < 16) {
		*bright = colour >= 8;
		return colour & 7;
	}
	if (!(colour & STYLE_RGB_BIT))
		colour = style_palette_rgb(colour);
	for (int i = 1; i < 16; i++)
		if (distance(colour & 0xffffff, named[i]) <
		    distance(colour & 0xffffff, named[best]))
			best = i;
	*bright = best >= 8;
	return best & 7;
}
