/* agents.h - who is to answer a message: the agents that there are, and what
 * the command line says. */
#ifndef AFW_OPENCODE_AGENTS_H
#define AFW_OPENCODE_AGENTS_H

#include <cjson/cJSON.h>

#include "base/mem.h"
#include "opencode/choice.h"

/* A zeroed one knows of none. */
struct agents {
	struct strv names;
	char *agent, *model; /* the command line's, or NULL */
};

void agents_finish(struct agents *a);

/* The command line's; NULL: it says nothing. */
void agents_defaults(struct agents *a, const char *agent, const char *model);
/* The server's list, as it comes (borrowed): what a mode may name. */
void agents_keep(struct agents *a, const cJSON *list);

/*
 * Adds to the message o who answers it: whom mode, the composer's word, names,
 * else who answered last, else the command line's.
 */
void agents_choose(const struct agents *a, const char *mode,
		   const struct choice *last, cJSON *o);

#endif
