/* hook.h - helpers of the adapters for reading a hook's event. Pure. */
#ifndef AFW_ADAPTERS_HOOK_H
#define AFW_ADAPTERS_HOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "adapters/adapter.h"

/* What an event means by its name alone. */
struct hook_event {
	const char *name; /* NULL ends the list */
	enum activity activity;
	enum hook_turn { /* of its turn: */
			 HOOK_SAYS,
			 HOOK_BEGINS,
			 HOOK_ENDS,
			 HOOK_FAILS, /* it ends, in an error */
			 HOOK_ASKS
	} turn;
};

/* Sets *out from the list. False: event is not in the list. */
bool hook_read(const struct hook_event *events, const char *event,
	       struct reading *out);

/* Copies the first line of s that has text, printable. */
void hook_line(char *out, size_t size, const char *s);

/* The same for a text in payload; "" if there is none. */
void hook_copy(char *out, size_t size, const cJSON *payload, const char *key);

/* Sets the detail "before: what", or before alone if what is "". */
void hook_set_detail(struct reading *out, const char *before, const char *what);

/* Sets the detail "Bash: npm test" from the tool's name and its main input. */
void hook_tool(const char *before, const cJSON *payload, struct reading *out);

#endif
