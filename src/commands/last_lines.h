/* last_lines.h - the last N of the lines that come, for standard output. */
#ifndef AFW_COMMANDS_LAST_LINES_H
#define AFW_COMMANDS_LAST_LINES_H

#include <stddef.h>

struct last_lines {
	size_t keep; /* 0: all, at once */
	char **ring; /* while they are kept back */
	size_t kept, at;
};

void last_lines_begin(struct last_lines *l);
void last_lines_add(struct last_lines *l, const char *text, size_t len);

/* Prints what was kept back, and from now on all at once. */
void last_lines_print(struct last_lines *l);

#endif
