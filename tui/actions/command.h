/*
 * command.h - one call of afw: confirmed by the user, run as a child, its
 * result reported.
 *
 * The dashboard changes a session only through afw's commands, so that a key
 * and a command cannot differ. Sessions are named by id. Texts are passed on
 * standard input, as every user of the machine can read argv.
 */
#ifndef AFW_TUI_ACTIONS_COMMAND_H
#define AFW_TUI_ACTIONS_COMMAND_H

#include "tui/child/job.h"
#include "tui/model/drafts.h"

struct tui;

struct command {
	char *doing;		  /* "stopping fix-login" */
	struct strv words;	  /* the arguments of afw */
	char id[SPEC_ID_LEN + 1]; /* its only session's, or "" */
	char *input, *dir;	  /* or NULL; dir: its working directory */
	char *machine;		  /* or NULL: those of its sessions */
	struct draft *draft;	  /* kept again if it fails; or NULL */
	int64_t number;		  /* for done: of a checkpoint, of a diff */
	int minutes;		  /* time limit */
	bool reads;		  /* changes nothing: can be interrupted */
	bool on_marked;		  /* the marks are cleared when it starts */
	/* Called with all output so far, when there is more; or NULL. */
	void (*printed)(struct tui *t, struct command *c, const char *out);
	/* Called when it has ended. NULL: command_report() */
	void (*done)(struct tui *t, struct command *c,
		     const struct job_result *r);
	int running;	 /* children: one for each machine of its sessions */
	bool failed;	 /* one of them has */
	struct strv got; /* for done: ids of sessions that have the message */
	unsigned view;	 /* view_hold() */
	unsigned over;	 /* the top view's serial when it was started */
};

/* Returns a new command; frees doing. The words, up to a NULL, are copied:
 * command_create(doing, id, "stop", id, NULL). */
struct command *command_make(char *doing, const char *id,
			     const char *const *words);
#define command_create(doing, id, ...)                                         \
	command_make(doing, id, (const char *const[]){__VA_ARGS__})
void command_free(void *command);

/* The command owns the draft, whose text becomes its input. */
void command_set_draft(struct command *c, struct draft *d);

/* Runs and frees the command; the top view is held meanwhile. Returns false if
 * it could not be started, which is shown. */
bool command_run(struct tui *t, struct command *c);
/* Does the same if the user confirms the question. Frees both. */
void command_confirm(struct tui *t, char *question, struct command *c);

/* For done: returns whether the view that it was started in is still the top
 * one, so that it may push a view. */
bool command_is_awaited(const struct tui *t, const struct command *c);

/* Shows the result: the error, or says, or (NULL) the last line of the output.
 * After an error the typed text stays in its view, or is kept as a draft. */
void command_report(struct tui *t, struct command *c,
		    const struct job_result *r, const char *says);

#endif
