/*
 * groups.c - the sorted sessions in groups, some of them folded.
 *
 * Groups stand by their names, so that they keep their places; only where the
 * order is that of need, those come first in which somebody waits.
 */
#include "tui/model/groups.h"

#include <stdlib.h>
#include <string.h>

const struct model_group *model_heading(const struct model *m, size_t i)
{
	return i < m->nshown && m->shown[i].heading
		   ? &m->groups[m->shown[i].at]
		   : NULL;
}

const struct session *model_member(const struct model *m,
				   const struct model_group *g, size_t i)
{
	return &m->list.v[m->sorted[g->first + i]];
}

void groups_finish(struct model *m)
{
	for (size_t i = 0; i < m->ngroups; i++)
		free(m->groups[i].key);
	free(m->groups);
	m->groups = NULL;
	m->ngroups = 0;
}

static int by_need(const void *a, const void *b)
{
	const struct model_group *x = a, *y = b;

	if (x->waits != y->waits)
		return y->waits - x->waits;
	return (x->first > y->first) - (x->first < y->first);
}

/* Makes sorted follow the groups. */
static void follow(struct model *m)
{
	size_t *to = mem_alloc((m->nsorted + 1) * sizeof *to), n = 0;

	for (size_t i = 0; i < m->ngroups; i++) {
		struct model_group *g = &m->groups[i];

		memcpy(to + n, m->sorted + g->first, g->n * sizeof *to);
		g->first = n;
		n += g->n;
	}
	free(m->sorted);
	m->sorted = to;
}

void groups_make(struct model *m)
{
	struct model_group *g = NULL;

	groups_finish(m);
	if (m->grouped == BY_NONE || !m->nsorted)
		return;
	m->groups = mem_alloc(m->nsorted * sizeof *m->groups);
	for (size_t i = 0; i < m->nsorted; i++) {
		const struct session *s = &m->list.v[m->sorted[i]];
		const char *key = order_key(s, m->grouped);

		if (!g || strcmp(g->key, key) != 0) {
			g = &m->groups[m->ngroups++];
			*g = (struct model_group){mem_strdup(key), .first = i};
		}
		g->n++;
		g->waits |= session_urgency(s) == WORD_WAITING;
	}
	if (m->order != ORDER_NEED)
		return;
	qsort(m->groups, m->ngroups, sizeof *m->groups, by_need);
	follow(m);
}

static void add_row(struct model *m, size_t at, bool heading)
{
	m->shown[m->nshown++] = (struct model_row){at, heading};
}

/* While there is a filter nothing is folded: it is to be found. */
void groups_rows(struct model *m)
{
	m->shown = mem_realloc(m->shown, (m->nsorted + m->ngroups + 1) *
					     sizeof *m->shown);
	m->nshown = 0;
	for (size_t i = 0; !m->ngroups && i < m->nsorted; i++)
		add_row(m, i, false);
	for (size_t i = 0; i < m->ngroups; i++) {
		struct model_group *g = &m->groups[i];

		g->folded = !m->filter && strv_has(&m->folded, g->key);
		add_row(m, i, true);
		for (size_t j = 0; !g->folded && j < g->n; j++)
			add_row(m, g->first + j, false);
	}
}

struct model_group *groups_of(const struct model *m, size_t at)
{
	for (size_t i = 0; i < m->ngroups; i++)
		if (at - m->groups[i].first < m->groups[i].n)
			return &m->groups[i];
	return NULL;
}

static size_t row_of(const struct model *m, size_t at, bool heading)
{
	size_t i = 0;

	while (i < m->nshown &&
	       (m->shown[i].at != at || m->shown[i].heading != heading))
		i++;
	return i;
}

size_t groups_row(const struct model *m, size_t at)
{
	return row_of(m, at, false);
}

size_t groups_heading(const struct model *m, const char *key)
{
	for (size_t i = 0; i < m->ngroups; i++)
		if (strcmp(m->groups[i].key, key) == 0)
			return row_of(m, i, true);
	return m->nshown;
}

bool model_fold(struct model *m, bool fold)
{
	const struct model_group *g = model_heading(m, m->cursor);
	char *key;

	if (!g && m->nshown)
		g = groups_of(m, m->shown[m->cursor].at);
	if (!g || g->folded == fold || (fold && m->filter))
		return false;
	key = mem_strdup(g->key);
	if (fold)
		strv_add(&m->folded, key);
	else
		strv_drop(&m->folded, key);
	groups_rows(m);
	model_move(m, (long)groups_heading(m, key) - (long)m->cursor);
	free(key);
	return true;
}
