/* hook.h - what adapters share when they read a hook's event. Pure. */
#ifndef AFW_ADAPTERS_HOOK_H
#define AFW_ADAPTERS_HOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "adapters/adapter.h"

/* What an event says by its name alone. */
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

/* Fills *out with that. False: event is not in the list. */
bool hook_read(const struct hook_event *events, const char *event,
	       struct reading *out);

/* The first line of s that has text, printable. */
void hook_line(char *out, size_t size, const char *s);

/* The same of a text in payload; "" where there is none. */
void hook_copy(char *out, size_t size, const cJSON *payload, const char *key);

/* The detail "before: what", or before alone where what is "". */
void hook_say(struct reading *out, const char *before, const char *what);

/* "Bash: npm test" from the tool's name and what its input is about. */
void hook_tool(const char *before, const cJSON *payload, struct reading *out);

#endif
