/* gemini.h - the parts of the Gemini CLI adapter, for gemini*.c and tests. */
#ifndef AFW_ADAPTERS_GEMINI_GEMINI_H
#define AFW_ADAPTERS_GEMINI_GEMINI_H

#include "adapters/adapter.h"
#include "adapters/hook.h"

/* The events that the hooks are set for; NULL ends. */
extern const struct hook_event gemini_events[];

/* Pure. */
bool gemini_hook(const char *event, const cJSON *payload, struct reading *out);

/*
 * Where Gemini CLI keeps what is the user's: $GEMINI_CLI_HOME/.gemini, else
 * ~/.gemini. To be freed; NULL where neither is known.
 */
char *gemini_user_dir(const char *const *env);

void gemini_auth(const char *const *env, struct auth *out);

/*
 * A user without any settings who has a key in the environment would be
 * asked how to log in: true there, and the session's settings may say it.
 */
bool gemini_auth_by_key(const char *const *env, const char *user_dir);

/*
 * A home of the session's own in rq->home, in which everything but one
 * extension, ours, is a link to what the user has in user_dir; that
 * directory is made where it is missing, as Gemini CLI itself would. Adds
 * what points there to out->env. Nothing in rq->home is followed: the
 * harness can write it. Blocks for some small files.
 */
int gemini_home_make(const struct launch_request *rq, const char *user_dir,
		     struct launch *out, struct err *err);

/* The name of that extension. */
#define GEMINI_EXTENSION "afw-session"

/* A conversation is kept while it has a message: Gemini CLI forgets
 * interrupted turns. */
extern const struct record_kind gemini_record;

/*
 * Links its file into the directory home, as conversation-ID.jsonl, where it
 * stays when Gemini CLI deletes its own; `gemini --session-file` reads it.
 * Without a conversation of that id nothing is done.
 */
int gemini_keep_chat(const char *dir, const char *id, const char *home,
		     struct err *err);

#endif
