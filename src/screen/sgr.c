/* sgr.c - colours and attributes (SGR, `CSI … m`), read and written. */
#include "screen/model.h"
#include "screen/csi.h"

uint32_t cell_palette(int i)
{
	static const uint32_t base[16] = {
	    0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
	    0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
	    0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
	};
	static const uint32_t level[6] = {0, 95, 135, 175, 215, 255};

	if (i < 16)
		return base[i];
	if (i >= 232)
		return (uint32_t)(8 + 10 * (i - 232)) * 0x010101u;
	i -= 16;
	return level[i / 36] << 16 | level[i / 6 % 6] << 8 | level[i % 6];
}

static const struct {
	uint8_t on, off;
	uint16_t attr;
} codes[] = {
    {1, 22, SCREEN_BOLD},      {2, 22, SCREEN_DIM},    {3, 23, SCREEN_ITALIC},
    {4, 24, SCREEN_UNDERLINE}, {5, 25, SCREEN_BLINK},  {7, 27, SCREEN_REVERSE},
    {8, 28, SCREEN_CONCEAL},   {9, 29, SCREEN_STRIKE},
};

/* `38;5;n`, `38;2;r;g;b`, and with colons (an empty colour space, too). */
static int extended_colour(const struct csi *c, int i, uint32_t *out)
{
	int at = i + 1, used, rgb[3];
	bool subs = at < c->n && c->sub[at];
	int end = at;

	while (subs && end < c->n && c->sub[end])
		end++;
	if (csi_arg(c, at, 0) == 5) {
		*out = SCREEN_COLOR_INDEX |
		       ((uint32_t)csi_arg(c, at + 1, 0) & 255);
		used = 2;
	} else if (csi_arg(c, at, 0) == 2) {
		int first = subs && end - at >= 5 ? at + 2 : at + 1;

		for (int k = 0; k < 3; k++)
			rgb[k] = csi_arg(c, first + k, 0) & 255;
		*out = SCREEN_COLOR_RGB | (uint32_t)rgb[0] << 16 |
		       (uint32_t)rgb[1] << 8 | (uint32_t)rgb[2];
		used = 4;
	} else {
		used = 1;
	}
	return subs ? end - 1 : i + used;
}

/* sub: what follows after a colon, or 1: 4:0 is no underline, 4:3 a curly one.
 */
static void attribute(struct model *m, int a, int sub)
{
	struct cell *pen = &m->pen;
	bool off = sub == 0;

	if (a == 4 || a == 21 || a == 24)
		decoration_underline(m, a == 21 ? 2 : a == 24 ? 1 : sub);
	a = a == 6 ? 5 : a == 21 ? 4 : a; /* fast blinking, double underline */
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		if (a == codes[i].off || (off && a == codes[i].on))
			pen->attrs &= (uint16_t)~codes[i].attr;
		else if (a == codes[i].on)
			pen->attrs |= codes[i].attr;
	}
}

void sgr_read(struct model *m, const struct csi *c)
{
	struct cell *pen = &m->pen;
	uint32_t ignored;

	for (int i = 0; i < c->n; i++) {
		int a = csi_arg(c, i, 0);
		bool sub = i + 1 < c->n && c->sub[i + 1];

		if (c->sub[i])
			continue;
		if (a == 0 && pen->attrs > 0xff)
			decoration_underline(m, 1);
		if (a == 0)
			*pen = (struct cell){.attrs = pen->attrs & 0xff00};
		else if (a == 38)
			i = extended_colour(c, i, &pen->fg);
		else if (a == 48)
			i = extended_colour(c, i, &pen->bg);
		else if (a == 58)
			i = extended_colour(c, i, &ignored);
		else if (a == 39)
			pen->fg = SCREEN_COLOR_DEFAULT;
		else if (a == 49)
			pen->bg = SCREEN_COLOR_DEFAULT;
		else if (a >= 30 && a <= 37)
			pen->fg = SCREEN_COLOR_INDEX | (uint32_t)(a - 30);
		else if (a >= 40 && a <= 47)
			pen->bg = SCREEN_COLOR_INDEX | (uint32_t)(a - 40);
		else if (a >= 90 && a <= 97)
			pen->fg = SCREEN_COLOR_INDEX | (uint32_t)(a - 82);
		else if (a >= 100 && a <= 107)
			pen->bg = SCREEN_COLOR_INDEX | (uint32_t)(a - 92);
		else
			attribute(m, a, sub ? csi_arg(c, i + 1, 1) : 1);
	}
}

static void sgr_colour(uint32_t c, int base, struct buf *out)
{
	unsigned i = c & 255;

	if (c >> 24 == SCREEN_COLOR_RGB >> 24)
		buf_addf(out, ";%d;2;%u;%u;%u", base + 8, c >> 16 & 255,
			 c >> 8 & 255, i);
	else if (c >> 24 != SCREEN_COLOR_INDEX >> 24)
		return;
	else if (i < 8)
		buf_addf(out, ";%u", (unsigned)base + i);
	else if (i < 16)
		buf_addf(out, ";%u", (unsigned)base + 60 + i - 8);
	else
		buf_addf(out, ";%d;5;%u", base + 8, i);
}

void sgr_write(const struct pen *p, struct buf *out)
{
	buf_adds(out, "\033[0");
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (p->attrs & codes[i].attr)
			buf_addf(out, ";%d", codes[i].on);
	sgr_colour(p->fg, 30, out);
	sgr_colour(p->bg, 40, out);
	buf_addc(out, 'm');
}

void sgr_change(const struct model *m, struct pen *from, const struct pen *to,
		struct buf *out)
{
	const struct decoration *old = decoration_of(m, from->attrs);
	const struct decoration *d = decoration_of(m, to->attrs);

	if (from->attrs == to->attrs && from->fg == to->fg &&
	    from->bg == to->bg)
		return;
	sgr_write(to, out);
	/* Apart, so that a terminal that does not know it ignores it. */
	if (d->style)
		buf_addf(out, "\033[4:%dm", d->style);
	if (d != old && (d->link || old->link))
		buf_addf(out, "\033]8;%s\033\\", d->link ? d->link : ";");
	*from = *to;
}
