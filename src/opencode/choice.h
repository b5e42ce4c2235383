/* choice.h - who answers a message of a user's: agent, model, variant. */
#ifndef AFW_OPENCODE_CHOICE_H
#define AFW_OPENCODE_CHOICE_H

#include <cjson/cJSON.h>

#define CHOICE_WORD 200

/* A zeroed one is none. */
struct choice {
	char agent[CHOICE_WORD], variant[CHOICE_WORD]; /* printable, or "" */
	cJSON *model; /* an object as a request wants it, or NULL */
};

/* The choice of a message, by the "info" of its event (borrowed). */
void choice_keep(struct choice *c, const cJSON *info);
void choice_clear(struct choice *c);

#endif
