/* questions.h - what OpenCode asks its user at the moment. */
#ifndef AFW_OPENCODE_QUESTIONS_H
#define AFW_OPENCODE_QUESTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "opencode/ids.h"

#define QUESTIONS_MAX  32
#define QUESTIONS_TEXT 200

struct question {
	char id[IDS_SIZE];
	char text[QUESTIONS_TEXT]; /* printable */
};

struct questions {
	struct question v[QUESTIONS_MAX]; /* the oldest first */
	size_t n;
};

/* A permission or a question, as events and lists have it (borrowed); what is
 * none, is there already or is too much changes nothing. */
void questions_add(struct questions *q, const cJSON *p);

/* One of another list, where it is not there already or too much. */
void questions_put(struct questions *q, const struct question *one);

bool questions_has(const struct questions *q, const char *id);

/* False where it is not there. */
bool questions_remove(struct questions *q, const char *id);

#endif
