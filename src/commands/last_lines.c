/* last_lines.c - a ring of lines. */
#include "commands/last_lines.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

void last_lines_begin(struct last_lines *l)
{
	if (l->keep)
		l->ring = mem_alloc(l->keep * sizeof *l->ring);
}

void last_lines_add(struct last_lines *l, const char *text, size_t len)
{
	if (!l->ring) {
		fwrite(text, 1, len, stdout);
		putchar('\n');
		return;
	}
	free(l->ring[l->at]);
	l->ring[l->at] = mem_strndup(text, len);
	l->at = (l->at + 1) % l->keep;
	if (l->kept < l->keep)
		l->kept++;
}

void last_lines_print(struct last_lines *l)
{
	for (size_t i = 0; l->ring && i < l->kept; i++)
		puts(l->ring[(l->at + l->keep - l->kept + i) % l->keep]);
	for (size_t i = 0; l->ring && i < l->keep; i++)
		free(l->ring[i]);
	free(l->ring);
	l->ring = NULL;
}
