/* found.h - which patterns of a section have matched, how often, when first,
 * and what. */
#ifndef AFW_SUPERVISOR_MONITOR_FOUND_H
#define AFW_SUPERVISOR_MONITOR_FOUND_H

#include "activity/observer.h"

#define FOUND_ROW 100

struct found_key {
	const char *key;     /* borrowed from rules_keys[] */
	int times;	     /* screens */
	int64_t t_ms;	     /* of the first */
	char row[FOUND_ROW]; /* its text, printable */
};

/* A zeroed one is empty. */
struct found {
	struct found_key *v; /* each key that has patterns */
	size_t n;
};

/* Counts what the rules find on the present screen. */
void found_add(struct found *f, const struct rules *rules, struct observer *o,
	       int64_t t_ms);
void found_finish(struct found *f);

/* Prints a line for each key, or adds an object for each to list. */
void found_print(const struct found *f);
void found_json(const struct found *f, cJSON *list);

#endif
