/*
 * drafts.h - what the user has typed and nobody has taken yet: messages, and
 * what was said of new sessions.
 *
 * A text is in one place at a time: here, in the editor or form that has
 * taken it out, or with the command that runs with it, which puts it back
 * where it fails.
 */
#ifndef AFW_TUI_DRAFTS_H
#define AFW_TUI_DRAFTS_H

#include "session/spec.h"

#define DRAFTS_MAX 100 /* of each kind; then the oldest goes */

/* Of a new session; a member may be NULL. */
struct draft {
	struct draft *next;
	char *name, *harness, *command, *base, *task;
};

struct message_draft {
	struct message_draft *next;
	char id[SPEC_ID_LEN + 1]; /* of the session that it is for */
	char *text;
};

/* Zeroed: there are none. */
struct drafts {
	struct draft *sessions; /* the newest first */
	struct message_draft *messages;
};

void drafts_finish(struct drafts *d);

/* The newest for the session, or NULL; to be freed. */
char *drafts_take_message(struct drafts *d, const char *id);

/* Copies the text, unless nothing is in it. */
void drafts_keep_message(struct drafts *d, const char *id, const char *text);

/* The newest, or NULL. */
struct draft *drafts_take(struct drafts *d);

/* Takes it over; one without a name and a task is nothing to keep. */
void drafts_keep(struct drafts *d, struct draft *draft);

void draft_destroy(struct draft *draft); /* NULL is fine */

#endif
