/*
 * decoration.c - what a cell's attrs have no room for: its link (OSC 8) and the
 * style of its underline.
 *
 * Most cells have none of these. So the high byte of attrs is the number of a
 * record in a table, which the history's runs refer to, too. When the table is
 * full, the records that no cell uses are dropped; if that frees too few, the
 * oldest lines of the history lose theirs.
 */
#include "screen/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define RECORDS	 256  /* the first one stays empty */
#define KEPT	 200  /* at most: the next collection is not soon */
#define LINK_MAX 2083 /* bytes; a longer link is ignored */

static const struct decoration none;

const struct decoration *decoration_of(const struct model *m, uint16_t attrs)
{
	return m->decoration ? &m->decoration[attrs >> 8] : &none;
}

/* Returns the first record from this one on that is like d; RECORDS: none. */
static int find(const struct model *m, const struct decoration *d, int from)
{
	for (; from < RECORDS; from++) {
		const struct decoration *r = &m->decoration[from];

		if (r->style == d->style &&
		    strcmp(r->link ? r->link : "", d->link ? d->link : "") == 0)
			break;
	}
	return from;
}

struct kept {
	bool is[RECORDS];
	int n;
};

/* A cell's attrs, which lose their record if too many are kept already. */
static void keep(void *ctx, uint16_t *attrs)
{
	struct kept *k = ctx;
	bool *is = &k->is[*attrs >> 8];

	if (*is)
		return;
	if (k->n == KEPT) {
		*attrs &= 0xff;
		return;
	}
	*is = true;
	k->n++;
}

static void collect(struct model *m)
{
	const struct grid *grids[] = {m->grid, &m->main};
	struct kept k = {.is = {true}};

	keep(&k, &m->pen.attrs);
	keep(&k, &m->saved[0].pen.attrs);
	keep(&k, &m->saved[1].pen.attrs);
	for (int g = 0; g < 2; g++)
		for (int y = 0; y < m->rows; y++)
			for (int x = 0; x < m->cols; x++)
				keep(&k, &grids[g]->row[y][x].attrs);
	history_each_attrs(&m->s->history, keep, &k);
	for (int i = 1; i < RECORDS; i++) {
		if (k.is[i])
			continue;
		free(m->decoration[i].link);
		m->decoration[i] = none;
	}
}

/* Gives the pen a record like d, which is copied. */
static void use(struct model *m, const struct decoration *d)
{
	int n;

	if (!m->decoration)
		m->decoration = mem_alloc(RECORDS * sizeof(*d));
	n = find(m, d, 0);
	if (n == RECORDS && find(m, &none, 1) == RECORDS)
		collect(m);
	if (n == RECORDS) {
		n = find(m, &none, 1);
		m->decoration[n] = *d;
		m->decoration[n].link = mem_strdup(d->link);
	}
	m->pen.attrs = (uint16_t)((m->pen.attrs & 0xff) | n << 8);
}

void decoration_underline(struct model *m, int style)
{
	const struct decoration d = *decoration_of(m, m->pen.attrs);

	style = style >= 2 && style <= 5 ? style : 0;
	if (style != d.style)
		use(m, &(struct decoration){style, d.link});
}

void decoration_link(struct model *m, const char *text, size_t len)
{
	struct decoration d = *decoration_of(m, m->pen.attrs);
	const char *semi = memchr(text, ';', len);
	bool is_link = semi && semi + 1 < text + len && len <= LINK_MAX;

	d.link = is_link ? mem_strndup(text, len) : NULL;
	use(m, &d);
	free(d.link);
}

void decoration_finish(struct model *m)
{
	for (int i = 0; m->decoration && i < RECORDS; i++)
		free(m->decoration[i].link);
	free(m->decoration);
}
