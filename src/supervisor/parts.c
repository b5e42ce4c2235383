/*
 * parts.c - creates, initialises, finishes and frees all parts of the
 * supervisor (part.h).
 */
#include "supervisor/part.h"

#include <stdlib.h>

#include "base/mem.h"

static void **part_state(struct supervisor *sv, const struct part *p)
{
	return (void **)(void *)((char *)sv + p->own.at);
}

void parts_create(struct supervisor *sv)
{
	EACH_PART (p, sv)
		if ((*p)->own.size)
			*part_state(sv, *p) = mem_alloc((*p)->own.size);
}

void parts_destroy(struct supervisor *sv)
{
	EACH_PART (p, sv)
		if ((*p)->own.size)
			free(*part_state(sv, *p));
}

int parts_init(struct supervisor *sv, struct err *err)
{
	EACH_PART (p, sv)
		if ((*p)->init && (*p)->init(sv, err) < 0)
			return -1;
	return 0;
}

void parts_finish(struct supervisor *sv)
{
	size_t n = 0;

	while (sv->parts[n])
		n++;
	while (n-- > 0)
		if (sv->parts[n]->finish)
			sv->parts[n]->finish(sv);
}
