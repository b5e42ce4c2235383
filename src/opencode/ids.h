/* ids.h - a few of OpenCode's names, the newest; the oldest are forgotten. */
#ifndef AFW_OPENCODE_IDS_H
#define AFW_OPENCODE_IDS_H

#include <stdbool.h>
#include <stddef.h>

#define IDS_SIZE 64 /* of a name, with the NUL: see talk_id_ok() */

struct ids {
	char (*v)[IDS_SIZE];
	size_t n, max;
};

void ids_init(struct ids *l, size_t max);
void ids_finish(struct ids *l);

bool ids_has(const struct ids *l, const char *id);
void ids_add(struct ids *l, const char *id); /* once */
void ids_remove(struct ids *l, const char *id);

#endif
