/*
 * command.h - one call of afw: asked for, run as a child, told of.
 *
 * The dashboard does nothing to a session by itself, so that a key and a
 * command cannot differ. Sessions are named by their id; texts go over
 * standard input, not through argv, where every user of the machine could
 * read them.
 */
#ifndef AFW_TUI_ACTIONS_COMMAND_H
#define AFW_TUI_ACTIONS_COMMAND_H

#include "tui/child/job.h"
#include "tui/model/drafts.h"

struct tui;

struct command {
	char *doing;		  /* "stopping fix-login" */
	struct strv words;	  /* behind afw */
	char id[SPEC_ID_LEN + 1]; /* of its one session, or "" */
	char *input, *dir;	  /* or NULL; dir: where it runs */
	struct draft *draft;	  /* put back where it fails; or NULL */
	int minutes;		  /* then it is ended */
	bool reads;		  /* changes nothing: may be cut off */
	bool on_marked;		  /* the marks are forgotten when it begins */
	/* It has ended. NULL: command_report() */
	void (*done)(struct tui *t, struct command *c,
		     const struct job_result *r);
	unsigned view; /* view_hold() */
};

/* Takes doing; the words, which end with NULL, are copied:
 * command_create(doing, id, "stop", id, NULL). */
struct command *command_make(char *doing, const char *id,
			     const char *const *words);
#define command_create(doing, id, ...)                                         \
	command_make(doing, id, (const char *const[]){__VA_ARGS__})
void command_free(void *command);

/* The draft is taken, and its text is the input. */
void command_take_draft(struct command *c, struct draft *d);

/* Runs it, while the top view is held. Takes it. False, with that said: it
 * could not be started. */
bool command_run(struct tui *t, struct command *c);
/* The same behind a question. Takes both. */
void command_ask(struct tui *t, char *question, struct command *c);

/* What came of it: why it failed, or says, or (NULL) its last line. What was
 * typed stays in its view, or is put back. */
void command_report(struct tui *t, struct command *c,
		    const struct job_result *r, const char *says);

#endif
