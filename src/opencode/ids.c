/* ids.c - an array; there are too few for anything else. */
#include "opencode/ids.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static size_t ids_find(const struct ids *l, const char *id)
{
	size_t i = 0;

	while (i < l->n && strcmp(l->v[i], id) != 0)
		i++;
	return i;
}

bool ids_has(const struct ids *l, const char *id)
{
	return ids_find(l, id) < l->n;
}

void ids_remove(struct ids *l, const char *id)
{
	size_t i = ids_find(l, id);

	if (i == l->n)
		return;
	l->n--;
	memmove(l->v[i], l->v[i + 1], (l->n - i) * sizeof l->v[0]);
}

void ids_add(struct ids *l, const char *id)
{
	if (ids_has(l, id))
		return;
	if (l->n == l->max)
		ids_remove(l, l->v[0]);
	snprintf(l->v[l->n++], sizeof l->v[0], "%s", id);
}

void ids_init(struct ids *l, size_t max)
{
	l->v = mem_alloc(max * sizeof l->v[0]);
	l->max = max;
}

void ids_finish(struct ids *l)
{
	free(l->v);
	*l = (struct ids){0};
}
