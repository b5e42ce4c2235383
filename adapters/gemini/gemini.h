/* gemini.h - the parts of the Gemini CLI adapter, for gemini*.c and tests. */
#ifndef AFW_ADAPTERS_GEMINI_GEMINI_H
#define AFW_ADAPTERS_GEMINI_GEMINI_H

#include "adapters/adapter.h"
#include "adapters/hook.h"

/* Pure. */
bool gemini_hook(const struct rules *r, const char *event, const cJSON *payload,
		 struct reading *out);

/*
 * Returns the user's directory of Gemini CLI: $GEMINI_CLI_HOME/.gemini, else
 * ~/.gemini. To be freed; NULL if neither is known.
 */
char *gemini_user_dir(const char *const *env);

void gemini_auth(const char *const *env, struct auth *out);

/*
 * True for a user without any settings who has a key in the environment: Gemini
 * CLI would ask how to log in, and the session's settings may select it.
 */
bool gemini_auth_by_key(const char *const *env, const char *user_dir);

/*
 * Makes the session's own home in rq->home, in which everything except our
 * extension is a link into user_dir, which is made if it is missing, as Gemini
 * CLI itself would. Adds the variables for it to out->env. Follows no link in
 * rq->home, which the harness can write. Blocks for some small files.
 */
int gemini_home_make(const struct launch_request *rq, const char *user_dir,
		     struct launch *out, struct err *err);

/* The name of that extension. */
#define GEMINI_EXTENSION "afw-session"

/* A conversation can be resumed while it has a message: Gemini CLI forgets
 * interrupted turns. */
extern const struct record_kind gemini_record;

/*
 * Links the conversation's file into the directory home, as
 * conversation-ID.jsonl, which stays when Gemini CLI deletes its own; `gemini
 * --session-file` reads it. Does nothing without a conversation of that id.
 */
int gemini_link_chat(const char *dir, const char *id, const char *home,
		     struct err *err);

#endif
