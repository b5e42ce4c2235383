/*
 * drafts.h - texts that the user has typed and not sent yet: messages, and
 * forms of new sessions.
 *
 * A text has one owner at a time: this list, the editor or form that has taken
 * it out, or the command that runs with it, which puts it back if it fails.
 */
#ifndef AFW_TUI_MODEL_DRAFTS_H
#define AFW_TUI_MODEL_DRAFTS_H

#include "session/spec.h"

#define DRAFT_MARKED "*" /* as id: for the marked sessions */
#define DRAFTS_MAX   200 /* then the oldest is dropped */

/* A message to a session or to DRAFT_MARKED, or with "" as its id a new
 * session. */
struct draft {
	struct draft *next;
	char id[SPEC_ID_LEN + 1];
	char *text; /* the message, the task */
	/* For a new session, or NULL. */
	char *repository, *name, *harness, *command, *base, *from, *template,
	    *sandbox, *host;
};

/* Zeroed: empty. */
struct drafts {
	struct draft *first; /* the newest */
};

/* Both texts are copied; text may be NULL. */
struct draft *draft_create(const char *id, const char *text);
void draft_destroy(struct draft *draft); /* NULL is fine */

void drafts_finish(struct drafts *d);

/* Removes and returns the newest draft for a session, or for a new one; NULL:
 * there is none. The caller owns it. */
struct draft *drafts_pop(struct drafts *d, const char *id);

/* Adds the draft, which the list then owns; frees it if it has neither a name
 * nor a text. */
void drafts_add(struct drafts *d, struct draft *draft);

#endif
