/* commit_git.h - runs git for afw commit: without a sandbox as the user would
 * in the worktree, otherwise in the sandbox of the agent. */
#ifndef AFW_COMMANDS_COMMIT_GIT_H
#define AFW_COMMANDS_COMMIT_GIT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/mem.h"
#include "session/session.h"

struct commit_git {
	const struct session *s;  /* or one of its repositories: spec_of() */
	const struct session *in; /* the session: its sandbox is used */
	const char *git_dir;	  /* git's entry of the worktree */
	bool edited;		  /* the user's editor asks for the message */
	/* The rest is set here. */
	bool boxed;	  /* it runs in a sandbox */
	bool attended;	  /* it has our terminal */
	char *hooks;	  /* their directory, as we see it */
	char *template;	  /* made for it in a sandbox; NULL: none */
	struct strv read; /* what it must read in the sandbox */
	struct strv env;
};

/* ERR_NOT_RUNNING if its sandbox exists only while it is running.
 * commit_git_finish() in every case. */
int commit_git_begin(struct commit_git *g, const struct session *s,
		     const struct session *in, const char *git_dir, bool edited,
		     struct err *err);
void commit_git_finish(struct commit_git *g);
#define _commit_git_ CLEANUP(commit_git_finish)

/*
 * Stages the files that the lists name, each with a NUL after it: adds the
 * files of add as they are, removes those of gone from the index, and adds
 * those of stored with the ids there (git update-index --index-info). What the
 * index was is kept for commit_git_end().
 */
int commit_git_stage(struct commit_git *g, const char *add, const char *gone,
		     const char *stored, struct err *err);

/* Runs git commit with these options; text: the message, if it is not edited.
 * Its hooks, the editor and the program that signs get our terminal, if there
 * is one and it is not in a sandbox; otherwise it has check_timeout. */
int commit_git_commit(struct commit_git *g, struct strv *options,
		      const struct buf *text, struct err *err);

/* If HEAD is still at head, makes the index what it was. */
void commit_git_end(struct commit_git *g, const char *head);

#endif
