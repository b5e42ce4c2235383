/*
 * notice.h - what is worth telling the user of a session: the kinds, and how
 * they read. The supervisor decides when (and counts in state.json), whoever
 * shows it asks the configuration which.
 */
#ifndef AFW_SESSION_NOTICE_H
#define AFW_SESSION_NOTICE_H

#include <stddef.h>

enum notice {
	NOTICE_NONE,
	NOTICE_WAITING,	  /* it asks something: "waiting_for_input" */
	NOTICE_COMPLETED, /* its turn has ended: "completed" */
	NOTICE_ERROR,	  /* the turn, or the harness, has failed: "error" */
	NOTICE_COUNT,
};

/* As JSON has it; "" for none. */
const char *notice_name(enum notice n);

/* Also by its word (word.h). -1 if name is none of them. "" is NOTICE_NONE. */
int notice_parse(const char *name, enum notice *out);

/* A set of notices, one bit for each. */
#define NOTICE_BIT(n) (1u << (n))

/* "fix-login waits for you": printable, cut where it does not fit. */
void notice_title(enum notice n, const char *session, char *out, size_t size);

#endif
