/*
 * headings.c - the sorted sessions in groups, some of which are folded.
 *
 * Groups are sorted by name, so that they keep their places; only in the order
 * by need, groups with a session that waits for the user come first.
 */
#include "tui/model/headings.h"

#include <stdlib.h>
#include <string.h>

#include "session/session_limits.h"

const struct roster_group *roster_heading(const struct roster *r, size_t i)
{
	return i < r->nshown && r->shown[i].heading ? &r->groups[r->shown[i].at]
						    : NULL;
}

const struct session *roster_member(const struct roster *r,
				    const struct roster_group *g, size_t i)
{
	return &r->list.v[r->sorted[g->first + i]];
}

static const char *group_name(const struct roster *r,
			      const struct roster_group *g)
{
	const struct spec *spec = &roster_member(r, g, 0)->spec;
	static const char *const none[BY_COUNT] = {"", "no repository",
						   "no group", "no agent"};

	if (!g->key[0])
		return none[r->grouped];
	return r->grouped == BY_REPOSITORY && spec->repository_name
		   ? spec->repository_name
		   : g->key;
}

void roster_group_title(const struct roster *r, const struct roster_group *g,
			struct buf *out)
{
	if (r->grouped == BY_LIMIT)
		session_limit_line(roster_member(r, g, 0), g->n, out);
	else
		buf_adds(out, group_name(r, g));
}

void headings_finish(struct roster *r)
{
	for (size_t i = 0; i < r->ngroups; i++)
		free(r->groups[i].key);
	free(r->groups);
	r->groups = NULL;
	r->ngroups = 0;
}

static int by_need(const void *a, const void *b)
{
	const struct roster_group *x = a, *y = b;

	if (x->waits != y->waits)
		return y->waits - x->waits;
	return (x->first > y->first) - (x->first < y->first);
}

/* Reorders sorted by group. */
static void follow(struct roster *r)
{
	size_t *to = mem_alloc((r->nsorted + 1) * sizeof *to), n = 0;

	for (size_t i = 0; i < r->ngroups; i++) {
		struct roster_group *g = &r->groups[i];

		memcpy(to + n, r->sorted + g->first, g->n * sizeof *to);
		g->first = n;
		n += g->n;
	}
	free(r->sorted);
	r->sorted = to;
}

void headings_make(struct roster *r)
{
	struct roster_group *g = NULL;

	headings_finish(r);
	if (r->grouped == BY_NONE || !r->nsorted)
		return;
	r->groups = mem_alloc(r->nsorted * sizeof *r->groups);
	for (size_t i = 0; i < r->nsorted; i++) {
		const struct session *s = &r->list.v[r->sorted[i]];

		if (!g || !order_is_same_group(roster_member(r, g, 0), s,
					       r->grouped)) {
			g = &r->groups[r->ngroups++];
			*g = (struct roster_group){
			    mem_strdup(order_key(s, r->grouped)), .first = i};
		}
		g->n++;
		g->flat = r->grouped == BY_LIMIT && (g->n == 1 || !g->key[0]);
		g->waits |= session_urgency(s) == WORD_WAITING;
	}
	if (r->order != ORDER_NEED)
		return;
	qsort(r->groups, r->ngroups, sizeof *r->groups, by_need);
	follow(r);
}

static void add_row(struct roster *r, size_t at, bool heading)
{
	r->shown[r->nshown++] = (struct roster_row){at, heading};
}

/* With a filter nothing is folded, so that every match is seen. Sessions that
 * share a limit are folded unless the user has unfolded them. */
void headings_rows(struct roster *r)
{
	r->shown = mem_realloc(r->shown, (r->nsorted + r->ngroups + 1) *
					     sizeof *r->shown);
	r->nshown = 0;
	for (size_t i = 0; !r->ngroups && i < r->nsorted; i++)
		add_row(r, i, false);
	for (size_t i = 0; i < r->ngroups; i++) {
		struct roster_group *g = &r->groups[i];

		g->folded =
		    !g->flat && !r->filter &&
		    strv_has(&r->folded, g->key) != (r->grouped == BY_LIMIT);
		if (!g->flat)
			add_row(r, i, true);
		for (size_t j = 0; !g->folded && j < g->n; j++)
			add_row(r, g->first + j, false);
	}
}

struct roster_group *headings_of(const struct roster *r, size_t at)
{
	for (size_t i = 0; i < r->ngroups; i++)
		if (at - r->groups[i].first < r->groups[i].n)
			return &r->groups[i];
	return NULL;
}

static size_t row_of(const struct roster *r, size_t at, bool heading)
{
	size_t i = 0;

	while (i < r->nshown &&
	       (r->shown[i].at != at || r->shown[i].heading != heading))
		i++;
	return i;
}

size_t headings_row(const struct roster *r, size_t at)
{
	return row_of(r, at, false);
}

size_t headings_heading(const struct roster *r, const char *key)
{
	for (size_t i = 0; i < r->ngroups; i++)
		if (strcmp(r->groups[i].key, key) == 0)
			return row_of(r, i, true);
	return r->nshown;
}
