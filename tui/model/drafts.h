/*
 * drafts.h - what the user has typed and nobody has taken yet: messages, and
 * what was said of new sessions.
 *
 * A text is in one place at a time: here, in the editor or form that has
 * taken it out, or with the command that runs with it, which puts it back
 * where it fails.
 */
#ifndef AFW_TUI_MODEL_DRAFTS_H
#define AFW_TUI_MODEL_DRAFTS_H

#include "session/spec.h"

#define DRAFT_MARKED "*" /* as its id: for those that are marked */
#define DRAFTS_MAX   200 /* then the oldest goes */

/* A message to a session or to DRAFT_MARKED, or with "" as its id a new
 * session. */
struct draft {
	struct draft *next;
	char id[SPEC_ID_LEN + 1];
	char *text;			       /* the message, the task */
	/* Of a new session, or NULL. */
	char *repository, *name, *harness, *command, *base, *template;
};

/* Zeroed: there are none. */
struct drafts {
	struct draft *first; /* the newest */
};

/* Both copy; text may be NULL. */
struct draft *draft_create(const char *id, const char *text);
void draft_destroy(struct draft *draft); /* NULL is fine */

void drafts_finish(struct drafts *d);

/* The newest for a session, or for a new one; NULL: there is none. */
struct draft *drafts_take(struct drafts *d, const char *id);

/* Takes it over; one without a name and a text is nothing to keep. */
void drafts_keep(struct drafts *d, struct draft *draft);

#endif
